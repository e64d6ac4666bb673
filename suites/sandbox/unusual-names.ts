/** Writes with names that a target may refuse. Accepted ones must be listed. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import type { Files } from '../generators/file-tree.ts';
import type { Judge } from '../kit/sandbox/listing.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { inEveryDirectory, write } from '../kit/sandbox/tree.ts';
import type { TreeModel } from '../kit/sandbox/listing.ts';

/** Writes each path to a separate directory, together with a common file. */
export async function unusualNameMismatches(
  run: Run,
  paths: readonly string[],
  judges: readonly Judge[],
): Promise<Mismatch[]> {
  const found: Mismatch[] = [];
  for (const path of paths) found.push(...(await listingMismatches(run, { [path]: 'x', 'f.txt': 'x' }, judges)));
  return found;
}

async function listingMismatches(run: Run, files: Files, judges: readonly Judge[]): Promise<Mismatch[]> {
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
