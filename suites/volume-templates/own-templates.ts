/** Volume templates with versions, created by the run if the target accepts them. */
import type { Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { isCreatedWithName } from '../kit/provision/created-with-name.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import type { Exchange } from '../target/client.ts';
import { versionNames } from './template.ts';

export interface OwnTemplate {
  readonly name: string;
  readonly versions: readonly string[];
  /** The target has listed them, perhaps only the newest ones. From then on none may be missing. */
  readonly areReturned: boolean;
  /** How many were created. */
  readonly createdCount: number;
}

/** Two templates with a common prefix; the versions of the second have names of versions of the first. Empty if the target does not accept them. */
export async function ownTemplates(run: Run): Promise<OwnTemplate[]> {
  const [template, version] = [run.newName(), run.newName()];
  const versions = [version, `${version}-2`, run.newName(), run.newName()];
  const created: OwnTemplate[] = [];
  for (const [name, ofTemplate] of [
    [template, versions],
    [`${template}-2`, versions.slice(0, 2)],
  ] as const) {
    const own = await ownTemplate(run, name, ofTemplate);
    if (own !== undefined) created.push(own);
  }
  return created;
}

/** Every other template has all metadata that a client may set. */
const bodyOf = (name: string) => ({
  metadata: { name, ...(name.endsWith('-2') && { displayName: 'Second template', labels: { purpose: 'Test' } }) },
  spec: { defaultSize: 1500, description: 'Made by a test.' },
});

async function ownTemplate(run: Run, name: string, versions: readonly string[]): Promise<OwnTemplate | undefined> {
  if (run.target.allow === 'read' || run.mayCreate('createVolumeTemplate') < 1) return undefined;
  if (!isCreatedWithName(await run.client.call('createVolumeTemplate', { body: bodyOf(name) }), name)) return undefined;
  for (const version of versions) {
    if (!isCreatedWithName(await uploaded(run, name, version), version)) return undefined;
  }
  const returned = await eventually(
    () => run.client.call('getVolumeTemplate', { path: { volumeTemplateName: name } }),
    (exchange) => !isSuccessful(exchange) || versionNames(exchange.response.json).includes(versions.at(-1)!),
    run.patienceSeconds,
  );
  const listed = versionNames(returned.response.json);
  const kept = versions.filter((version) => listed.includes(version));
  const areReturned = kept.length > 0;
  return { name, versions: areReturned ? kept : versions, areReturned, createdCount: versions.length };
}

function uploaded(run: Run, volumeTemplateName: string, name: string): Promise<Exchange> {
  const removal = {
    operation: 'deleteVolumeTemplateVersion',
    path: { volumeTemplateName, versionName: name },
  } as const;
  return run.create({ created: 'createVolumeTemplateVersion', name, removal }, () =>
    run.client.call('createVolumeTemplateVersion', { path: { volumeTemplateName }, body: { name } }),
  );
}

export const removeTemplate = (run: Run, name: string): Promise<Exchange | undefined> =>
  removeByRequestedName(run, 'createVolumeTemplate', { body: bodyOf(name) });
