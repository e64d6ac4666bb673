/** Files by their path below a directory, some of them nested. */
import * as fc from 'fast-check';
import { directoryName, fileName } from './file-name.ts';
import { shrinkable, withoutAnEntry } from './shrinkable.ts';

/** Content by relative path, with slashes. */
export type Files = Readonly<Record<string, string>>;

interface TreeOptions {
  content: fc.Arbitrary<string>;
  /** The minimum and maximum number of directories above a file. */
  minDepth?: number;
  maxDepth?: number;
  maxFiles?: number;
}

export function directoryPath(minDepth: number, maxDepth: number): fc.Arbitrary<string> {
  return fc.array(directoryName, { minLength: minDepth, maxLength: maxDepth }).map((names) => names.join('/'));
}

/** At least one file. */
export function fileTree({ content, minDepth = 0, maxDepth = 2, maxFiles = 4 }: TreeOptions): fc.Arbitrary<Files> {
  const file = fc.record({ directory: directoryPath(minDepth, maxDepth), name: fileName, content });
  const tree = fc
    .array(file, { minLength: 1, maxLength: maxFiles })
    .map((files) => Object.fromEntries(files.map((each) => [joinPath(each.directory, each.name), each.content])));
  return shrinkable<Files>(tree, withoutAnEntry(1));
}

/** The empty path is the directory itself. */
export function joinPath(directory: string, below: string): string {
  return directory === '' || below === '' ? directory + below : `${directory}/${below}`;
}
