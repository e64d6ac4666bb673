/** Names of files and directories that every file system accepts, including awkward ones. No directory has a file's name. */
import * as fc from 'fast-check';

/** Some are prefixes of others, which reveals comparisons by prefix. Each is allowed in a URL. */
const directoryNames = ['a', 'ab', 'a-b', 'a b', 'a  b', 'lib.d', 'v1.2', 'ü', '日本', 'x+y', 'p&q=r', "it's", '$HOME'];

const fileNames = [
  'f',
  'fa',
  'f.txt',
  'README',
  'f.tar.gz',
  'two words.txt',
  'two  spaces.txt',
  'größe.txt',
  '日本語.md',
  '😀.txt',
  '100%.txt',
  'f%41.txt',
  '#1!.txt',
  'x+y.txt',
  'constructor',
  'toString',
  `${'long-'.repeat(24)}.txt`,
];

/** File systems accept these as well. A target may refuse them, but must store accepted ones like any other file. */
export const unusualFileNames: readonly string[] = ['[id].tsx', 'notes.log', '__proto__', '.env'];

/** The same for directories. */
export const unusualDirectoryNames: readonly string[] = ['[slug]', '.config'];

export const directoryName: fc.Arbitrary<string> = fc.constantFrom(...directoryNames);

export const fileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...fileNames),
  fc.stringMatching(/^[a-z]{1,6}$/).map((word) => `${word}.txt`),
);
