/** Files by their path below a directory, some of them nested. */
import * as fc from 'fast-check';
import { directoryName, fileName } from './file-name.ts';

/** Content by path; paths are relative, their parts joined by slashes. */
export type Files = Readonly<Record<string, string>>;

interface TreeOptions {
  content: fc.Arbitrary<string>;
  /** Directories above a file, at least and at most. */
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
  return fc
    .array(file, { minLength: 1, maxLength: maxFiles })
    .map((files) => Object.fromEntries(files.map((each) => [joined(each.directory, each.name), each.content])));
}

/** The empty path is the directory itself. */
export function joined(directory: string, below: string): string {
  return directory === '' || below === '' ? directory + below : `${directory}/${below}`;
}
