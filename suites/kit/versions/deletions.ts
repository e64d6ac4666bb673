/** Deletions with a version: of resources that the run creates for it, or else of those in the target file. */
import { tokenToDelete, versionToDelete } from '../auth/to-delete.ts';
import type { ToDelete } from '../auth/to-delete.ts';
import type { Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import { withVersion } from './with-version.ts';

type Provide = (run: Run) => Promise<ToDelete>;

/** The deleting operations, each with a function that provides resources to delete. */
export const deletions = [
  ['deleteSandboxPreviewToken', writing(tokenToDelete)],
  ['deleteVolumeTemplateVersion', writing(versionToDelete)],
] as const;

function writing(provide: Provide): Provide {
  return async (run) => (run.target.allow === 'read' ? {} : provide(run));
}

/** Responses to deletions and an image cleanup whose only error is an unlisted version. */
export async function unlistedDeletions(run: Run, versions: readonly string[]): Promise<Exchange[]> {
  const found = [];
  for (const [id, provide] of deletions) {
    const { own, listed } = await provide(run);
    const path = own ?? listed;
    if (path === undefined) continue;
    const exchanges = await withEachVersion(run, { id, path }, versions);
    const isThere = own !== undefined && isSuccessful(await run.client.call(id, { path: own }));
    found.push(
      ...exchanges.filter((exchange) => isSuccessful(exchange) || (isThere && exchange.response.status !== 404)),
    );
  }
  if (run.target.allow !== 'destroy') return found;
  // A cleanup may fail for unknown reasons.
  return [
    ...found,
    ...(await withEachVersion(run, { id: 'deleteUnusedImages', path: {} }, versions)).filter(isSuccessful),
  ];
}

interface Deletion {
  readonly id: (typeof deletions)[number][0] | 'deleteUnusedImages';
  readonly path: Record<string, string>;
}

async function withEachVersion(run: Run, { id, path }: Deletion, versions: readonly string[]): Promise<Exchange[]> {
  const exchanges = [];
  for (const version of versions) exchanges.push(await withVersion(run, { id, input: () => ({ path }) }, version));
  return exchanges;
}
