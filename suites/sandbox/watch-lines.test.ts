import { expect, test } from 'vitest';
import { isPathOf } from './watch-lines.ts';

const directory = 'tmp/assay-run-1/7/a b';

test.each([
  'f.txt',
  './f.txt',
  '/tmp/assay-run-1/7/a b/f.txt',
  '/private/tmp/assay-run-1/7/a b/f.txt',
  'tmp/assay-run-1/7/a b/f.txt',
  './tmp/assay-run-1/7/a b/f.txt',
  'var/tmp/assay-run-1/7/a b/f.txt',
  '../7/a b/f.txt',
  'a b/f.txt',
])('%j is the path of f.txt in the watched directory', (line) => {
  expect(isPathOf(line, directory, 'f.txt')).toBe(true);
});

test.each([
  '',
  'ff.txt',
  'f.txt.tmp',
  '/tmp/assay-run-1/7/a b',
  '/tmp/assay-run-1/7/b/f.txt',
  '/tmp/assay-run-1/7/aa b/f.txt',
  '/tmp/assay-run-1/7/a%20b/f.txt',
  'modified /tmp/assay-run-1/7/a b/f.txt',
  'modified tmp/assay-run-1/7/a b/f.txt',
  'var/tmp/7/a b/f.txt',
  '"/tmp/assay-run-1/7/a b/f.txt"',
])('%j is not', (line) => {
  expect(isPathOf(line, directory, 'f.txt')).toBe(false);
});
