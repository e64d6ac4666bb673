/**
 * Preview tokens and template versions that may be deleted: the run's own if it can create some, or else those of the
 * target file.
 */
import type { Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const previewOfRun = sharedValue<Path | undefined>();
const templateOfRun = sharedValue<Path | undefined>();

type Path = Record<string, string>;

/** Path values. */
export interface ToDelete {
  readonly own?: Path;
  /** A second one, to confirm that such a deletion can succeed. */
  readonly control?: Path;
  /** From the target file, and only with allow: destroy. */
  readonly listed?: Path;
}

export async function tokenToDelete(run: Run): Promise<ToDelete> {
  const { previewTokens = [] } = run.target.resources;
  const [first] = run.target.allow === 'destroy' ? previewTokens : [];
  const listed = first && { sandboxName: first.sandbox, previewName: first.preview, tokenName: first.token };
  return withListed(await twoOf(await ownPreview(run), (preview) => newToken(run, preview)), listed);
}

export async function versionToDelete(run: Run): Promise<ToDelete> {
  const { templateVersions = [] } = run.target.resources;
  const [first] = run.target.allow === 'destroy' ? templateVersions : [];
  const listed = first && { volumeTemplateName: first.template, versionName: first.version };
  return withListed(await twoOf(await ownTemplate(run), (template) => newVersion(run, template)), listed);
}

const withListed = (found: ToDelete, listed: Path | undefined): ToDelete =>
  listed === undefined ? found : { ...found, listed };

/** Empty if their parent or one of the two cannot be created. */
async function twoOf(parent: Path | undefined, make: (parent: Path) => Promise<Path | undefined>): Promise<ToDelete> {
  if (parent === undefined) return {};
  const own = await make(parent);
  const control = own && (await make(parent));
  return own === undefined || control === undefined ? {} : { own, control };
}

function ownPreview(run: Run): Promise<Path | undefined> {
  return previewOfRun.get(run, async () => {
    const { sandbox } = run.target.resources;
    if (sandbox === undefined) return undefined;
    const preview = { sandboxName: sandbox, previewName: run.newName() };
    const body = { metadata: { name: preview.previewName }, spec: {} };
    const exchange = await run.client.call('createSandboxPreview', { path: { sandboxName: sandbox }, body });
    return isSuccessful(exchange) ? preview : undefined;
  });
}

async function newToken(run: Run, preview: Path): Promise<Path | undefined> {
  const tokenName = run.newName();
  const body = { metadata: { name: tokenName }, spec: {} };
  const exchange = await run.client.call('createSandboxPreviewToken', { path: preview, body });
  return isSuccessful(exchange) ? { ...preview, tokenName } : undefined;
}

function ownTemplate(run: Run): Promise<Path | undefined> {
  return templateOfRun.get(run, async () => {
    const template = { volumeTemplateName: run.newName() };
    const body = { metadata: { name: template.volumeTemplateName }, spec: {} };
    return isSuccessful(await run.client.call('createVolumeTemplate', { body })) ? template : undefined;
  });
}

async function newVersion(run: Run, template: Path): Promise<Path | undefined> {
  const versionName = run.newName();
  const exchange = await run.client.call('createVolumeTemplateVersion', {
    path: template,
    body: { name: versionName },
  });
  return isSuccessful(exchange) ? { ...template, versionName } : undefined;
}
