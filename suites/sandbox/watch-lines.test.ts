import { expect, test } from 'vitest';
import { countLines, describeLines, isPathOf, names } from './watch-lines.ts';

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
  '/tmp/assay-run-1/7/a b//f.txt',
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

const json = '{"op":"CREATE","name":"f.txt","path":"/tmp/assay-run-1/7/a b","error":null}';

test.each([json, 'f.txt', 'modified /tmp/f.txt', '%2Ftmp%2Ff.txt', '/tmp/f.txt,/tmp/g.txt,', "ff.txt and 'f.txt'"])(
  '%j names f.txt',
  (line) => {
    expect(names(line, 'f.txt')).toBe(true);
  },
);

test.each(['', 'ff.txt', '.f.txt', 'f.txt.part', 'f.txt~', '#f.txt#', 'größef.txt', '/tmp/f.txt2'])(
  '%j does not',
  (line) => {
    expect(names(line, 'f.txt')).toBe(false);
  },
);

test('lines in another form than paths count only if they are expected', () => {
  const text = `${json}\n${json}\n[keepalive]\n`;
  expect(countLines(text, 'paths', directory, 'f.txt')).toBe(0);
  expect(countLines(text, 'other text', directory, 'f.txt')).toBe(2);
});

test.each([
  ['', 'no line'],
  ['\n', 'no line'],
  ['[keepalive]\n', 'the line "[keepalive]"'],
  ['/tmp/f.txt\r\n[keepalive]\n', '2 lines, such as "/tmp/f.txt"'],
  ['/tmp/g.txt\n/tmp/h.txt\n', '2 lines, such as "/tmp/h.txt"'],
])('what %j contains is described by the line that names the file, or else the last one', (text, description) => {
  expect(describeLines(text, 'f.txt')).toBe(description);
});
