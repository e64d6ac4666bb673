/** Deletions with a version: of resources that the run creates for it, or else of those in the target file. */
import { tokenToDelete, versionToDelete } from '../auth/to-delete.ts';
import type { ToDelete } from '../auth/to-delete.ts';
import type { Run } from '../../engine/conforms.ts';
import { sharedValues } from '../../engine/shared-values.ts';
import { isSuccessful, pollUntilTimeout } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import { withVersion } from './with-version.ts';

type Provide = (run: Run) => Promise<ToDelete>;

interface PathToKeep {
  readonly path: Record<string, string> | undefined;
  readonly isDeletable: boolean;
}

/** By operation and rule: a version that one rule sends may delete the resource, which must not hide that from others. */
const pathsToKeep = sharedValues<PathToKeep>();

/** The deleting operations, each with a function that provides resources to delete. */
export const deletions = [
  ['deleteSandboxPreviewToken', writing(tokenToDelete)],
  ['deleteVolumeTemplateVersion', writing(versionToDelete)],
] as const;
const provided = Object.fromEntries(deletions) as Record<(typeof deletions)[number][0], Provide>;

function writing(provide: Provide): Provide {
  return async (run) => (run.target.allow === 'read' ? {} : provide(run));
}

export type UnlistedDeletion = (typeof deletions)[number][0] | 'deleteUnusedImages';

/** The deletions that the run may send, and the image cleanup. */
export const versionedDeletions = ({ target }: Run): UnlistedDeletion[] => [
  ...deletions.map(([id]) => id),
  ...(target.allow === 'destroy' ? (['deleteUnusedImages'] as const) : []),
];

const isMissing = ({ response }: Exchange): boolean => response.status === 404;

/** Responses to one of them whose only error is an unlisted version. */
export async function unlistedDeletion(
  run: Run,
  id: UnlistedDeletion,
  versions: readonly string[],
): Promise<Exchange[]> {
  if (id === 'deleteUnusedImages') {
    // A cleanup may fail for unknown reasons.
    return (await withEachVersion(run, { id, path: {} }, versions)).filter(isSuccessful);
  }
  const { path, isDeletable } = await pathsToKeep.get(run, `${id} ${run.rule.id}`, () => pathToKeep(run, id));
  if (path === undefined) return [];
  const exchanges = await withEachVersion(run, { id, path, isThere: isDeletable }, versions);
  if (!isDeletable) return exchanges.filter(isSuccessful);
  // A 404 counts only if a valid request shows that the resource was there.
  const wasThere = !exchanges.some(isMissing) || isSuccessful(await run.client.call(id, { path }));
  return wasThere ? exchanges : exchanges.filter((exchange) => !isMissing(exchange));
}

/** A resource that must survive every unlisted version, and whether a valid request would delete it. */
async function pathToKeep(run: Run, id: keyof typeof provided): Promise<PathToKeep> {
  const { own, control, listed } = await provided[id](run);
  return { path: own ?? listed, isDeletable: control !== undefined && isSuccessful(control) };
}

/** The same for all of them. */
export async function unlistedDeletions(run: Run, versions: readonly string[]): Promise<Exchange[]> {
  const found = [];
  for (const id of versionedDeletions(run)) found.push(...(await unlistedDeletion(run, id, versions)));
  return found;
}

interface Deletion {
  readonly id: UnlistedDeletion;
  readonly path: Record<string, string>;
  /** Whether the resource exists, at the latest in a moment. Defaults to false. */
  readonly isThere?: boolean;
}

/** Ends with the first deletion. */
async function withEachVersion(
  run: Run,
  { id, path, isThere = false }: Deletion,
  versions: readonly string[],
): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  const found = pollUntilTimeout(({ response }) => !isThere || response.status !== 404, run.patienceSeconds);
  for (const version of versions) {
    const exchange = await found(() => withVersion(run, { id, input: () => ({ path }) }, version));
    exchanges.push(exchange);
    if (isSuccessful(exchange)) break;
  }
  return exchanges;
}
