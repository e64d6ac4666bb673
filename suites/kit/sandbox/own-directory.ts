/** A run writes below its own directory of the sandbox, because the interface has no operation to remove files. */
import type { Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import { isLimit, putTree } from './tree.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const directoryOfRun = sharedValue<OwnDirectory>();

/** Where it may be. Usually only the first is tried: the others are for sandboxes whose file system is read-only there. */
const places = ['tmp', 'workspace', 'home', 'var/tmp', 'app', 'data'] as const;

interface OwnDirectory {
  readonly path: string;
  /** The write that created it, or was refused. Absent in a read-only run. */
  readonly created?: Exchange;
}

/** Recorded in the ledger first, so that the run reports it as left behind. */
export function ownDirectory(run: Run): Promise<OwnDirectory> {
  return directoryOfRun.get(run, async () => {
    const name = run.newName();
    let first: OwnDirectory = { path: `${places[0]}/${name}` };
    if (run.target.allow === 'read') return first;
    for (const [at, place] of places.entries()) {
      const path = `${place}/${name}`;
      const created = await run.create({ created: 'writeTree', name }, () =>
        putTree(run, path, { 'about.txt': 'Left by a run of assay; nothing needs it.\n' }),
      );
      if (at === 0) first = { path, created };
      if (isSuccessful(created)) return { path, created };
      if (!isLimit(created) || created.response.status === 401) break;
    }
    return first;
  });
}

/** An unused directory below it, which the first write creates. */
export async function newDirectory(run: Run): Promise<string> {
  const { path } = await ownDirectory(run);
  return `${path}/dir-${(directoryCount += 1)}`;
}

let directoryCount = 0;

/** Like newDirectory, for rules that need writable files. */
export async function newWritableDirectory(run: Run): Promise<string> {
  const { created } = await ownDirectory(run);
  run.need(created !== undefined && isSuccessful(created), 'a tree write that is accepted');
  return newDirectory(run);
}
