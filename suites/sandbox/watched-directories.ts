/** Directories to watch, and files that change in them. */
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Files } from '../generators/file-tree.ts';
import type { Exchange } from '../target/client.ts';
import { acceptedNames } from '../kit/sandbox/accepted-names.ts';
import { putTree } from '../kit/sandbox/tree.ts';

let writes = 0;

/**
 * Contents that no write had before, most of them as long as those before, and that are not empty: to create an empty
 * file
 * modifies nothing in it.
 */
export function freshFiles(names: readonly string[]): Files {
  const content = 'x'.repeat(1 + (Math.floor((writes += 1) / 10) % 10)) + String(writes).padStart(8, '0');
  return Object.fromEntries(names.map((name) => [name, content]));
}

/** Makes directories below `top`, which may then be watched. Returns the last write, or the first one that fails. */
export async function makeDirectories(run: Run, top: string, directories: readonly string[]): Promise<Exchange> {
  const accepted = await acceptedNames(run);
  let remaining = Object.entries(freshFiles(directories.map((directory) => `${directory}/first.txt`)));
  for (;;) {
    const files = accepted.files(Object.fromEntries(remaining));
    const written = await putTree(run, top, files);
    remaining = remaining.slice(Object.keys(files).length);
    if (remaining.length === 0 || !isSuccessful(written)) return written;
  }
}

/** Throws NotTried if they cannot be created. */
export async function needDirectories(run: Run, top: string, directories: readonly string[]): Promise<void> {
  run.need(isSuccessful(await makeDirectories(run, top, directories)), 'a tree write that is accepted');
}
