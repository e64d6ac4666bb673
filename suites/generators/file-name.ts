/** Names of files and directories that every file system takes, awkward ones among them; no directory has a file's name. */
import * as fc from 'fast-check';

/** Some begin with others, so that who compares only beginnings mixes them up; each can stand in a URL. */
const directoryNames = ['a', 'ab', 'a-b', 'a b', 'lib.d', 'v1.2', 'ü', '日本', 'x+y', 'p&q=r', "it's", '$HOME'];

const fileNames = [
  'f',
  'fa',
  'f.txt',
  'README',
  'f.tar.gz',
  'two words.txt',
  'größe.txt',
  '日本語.md',
  '😀.txt',
  '100%.txt',
  'f%41.txt',
  '#1!.txt',
  'x+y.txt',
  'constructor',
  `${'long-'.repeat(24)}.txt`,
];

/** A file system takes these as well; a target may refuse them, but has what it takes like any other file. */
export const unusualFileNames: readonly string[] = ['[id].tsx', 'notes.log'];

/** The same of directories. */
export const unusualDirectoryNames: readonly string[] = ['[slug]'];

export const directoryName: fc.Arbitrary<string> = fc.constantFrom(...directoryNames);

export const fileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...fileNames),
  fc.stringMatching(/^[a-z]{1,6}$/).map((word) => `${word}.txt`),
);
