/**
 * Preview tokens and template versions that may be deleted: the run's own if it can create some, or else those of the
 * target file.
 */
import type { OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/conforms.ts';
import { eventually, isSuccessful } from '../../target/eventually.ts';
import { sharedValue, sharedValues } from '../../engine/shared-values.ts';
import type { Exchange } from '../../target/client.ts';

const previewOfRun = sharedValue<Path | undefined>();
const templateOfRun = sharedValue<Path | undefined>();
const controlsOfRun = sharedValues<Exchange | undefined>();

type Path = Record<string, string>;

/** Path values of resources. */
export interface ToDelete {
  readonly own?: Path;
  /** The response to a valid deletion of another one, sent once per run: whether such a deletion can succeed. */
  readonly control?: Exchange;
  /** From the target file, and only with allow: destroy. */
  readonly listed?: Path;
}

export async function tokenToDelete(run: Run): Promise<ToDelete> {
  const { previewTokens = [] } = run.target.resources;
  const [first] = run.target.allow === 'destroy' ? previewTokens : [];
  const listed = first && { sandboxName: first.sandbox, previewName: first.preview, tokenName: first.token };
  const own = await createdIn(run, await ownPreview(run), { id: 'deleteSandboxPreviewToken', make: newToken });
  return withListed(own, listed);
}

export async function versionToDelete(run: Run): Promise<ToDelete> {
  const { templateVersions = [] } = run.target.resources;
  const [first] = run.target.allow === 'destroy' ? templateVersions : [];
  const listed = first && { volumeTemplateName: first.template, versionName: first.version };
  const own = await createdIn(run, await ownTemplate(run), { id: 'deleteVolumeTemplateVersion', make: newVersion });
  return withListed(own, listed);
}

const withListed = (found: ToDelete, listed: Path | undefined): ToDelete =>
  listed === undefined ? found : { ...found, listed };

interface Deletable {
  readonly id: OperationId;
  readonly make: (run: Run, parent: Path) => Promise<Path | undefined>;
}

/** Empty if the parent or one of its children cannot be created. */
async function createdIn(run: Run, parent: Path | undefined, { id, make }: Deletable): Promise<ToDelete> {
  if (parent === undefined) return {};
  const control = await controlsOfRun.get(run, id, async () => {
    // One remains, because a target may keep the last of its kind.
    const others = [await make(run, parent), await make(run, parent)];
    const [path] = others.includes(undefined) ? [] : others;
    return path && deleteCreated(run, id, path);
  });
  const own = control && (await make(run, parent));
  return own === undefined || control === undefined ? {} : { own, control };
}

/** Polls, because a new resource may take a moment to exist. */
export const deleteCreated = (run: Run, id: OperationId, path: Path): Promise<Exchange> =>
  eventually(
    () => run.client.call(id, { path }),
    ({ response }) => response.status !== 404,
    run.patienceSeconds,
  );

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
