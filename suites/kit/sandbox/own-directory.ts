/** A run writes below its own directory of the sandbox, because the interface has no operation to remove files. */
import type { Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import { putTree } from './tree.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const directoryOfRun = sharedValue<OwnDirectory>();

const PLACE = 'tmp';

interface OwnDirectory {
  readonly path: string;
  /** The write that created it. Absent in a read-only run. */
  readonly created?: Exchange;
}

/** Recorded in the ledger first, so that the run reports it as left behind. */
export function ownDirectory(run: Run): Promise<OwnDirectory> {
  return directoryOfRun.get(run, async () => {
    const name = run.newName();
    const path = `${PLACE}/${name}`;
    if (run.target.allow === 'read') return { path };
    const created = await run.create({ created: 'writeTree', name }, () =>
      putTree(run, path, { 'about.txt': 'Left by a run of assay; nothing needs it.\n' }),
    );
    return { path, created };
  });
}

/** An unused directory below it, which the first write creates. */
export async function newDirectory(run: Run): Promise<string> {
  const { path } = await ownDirectory(run);
  return `${path}/${(directoryCount += 1)}`;
}

let directoryCount = 0;

/** Like newDirectory, for rules that need writable files. */
export async function newWritableDirectory(run: Run): Promise<string> {
  const { created } = await ownDirectory(run);
  run.need(created !== undefined && isSuccessful(created), 'a tree write that is accepted');
  return newDirectory(run);
}
