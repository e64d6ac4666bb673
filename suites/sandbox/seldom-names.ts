/** Writes of files and directories whose names a target may refuse: what it takes is there and listed, like any other. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isRefused, statusClass } from '../expect/status.ts';
import type { Files } from '../generators/file-tree.ts';
import type { Judge } from '../kit/sandbox/listing.ts';
import { newWritableDirectory } from '../kit/sandbox/own-directory.ts';
import { inEveryDirectory, write } from '../kit/sandbox/tree.ts';
import type { TreeModel } from '../kit/sandbox/listing.ts';

/** Each path in a write and a directory of its own, beside a file that everybody takes. */
export async function seldomAreListed(
  run: Run,
  paths: readonly string[],
  judges: readonly Judge[],
): Promise<Mismatch[]> {
  const found: Mismatch[] = [];
  for (const path of paths) found.push(...(await isListed(run, { [path]: 'x', 'f.txt': 'x' }, judges)));
  return found;
}

async function isListed(run: Run, files: Files, judges: readonly Judge[]): Promise<Mismatch[]> {
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
