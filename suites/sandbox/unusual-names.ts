/** Writes with names that a target may refuse. Accepted ones must be listed. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import type { Files } from '../generators/file-tree.ts';
import type { Judge } from '../kit/sandbox/listing.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { inEveryDirectory, write } from '../kit/sandbox/tree.ts';
import type { TreeModel } from '../kit/sandbox/listing.ts';

/** Writes the path to a new directory, together with a common file. */
export async function unusualNameMismatches(run: Run, path: string, judges: readonly Judge[]): Promise<Mismatch[]> {
  const files: Files = { [path]: 'x', 'f.txt': 'x' };
  const top = await newWritableDirectory(run);
  const model: TreeModel = new Map();
  const exchange = await write(run, top, model, files);
  if (isRefused(exchange)) return [];
  return [
    ...statusClass(exchange, '2xx'),
    ...judges.flatMap((judge) => judge(exchange, model, '')),
    ...(await inEveryDirectory(run, top, model, judges)),
  ];
}
