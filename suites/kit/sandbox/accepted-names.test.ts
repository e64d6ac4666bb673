import { expect, test } from 'vitest';
import { farthestAbove, namesWithout, unusualFiles } from './accepted-names.ts';

const without = (...words: readonly string[]) =>
  namesWithout(unusualFiles.filter(({ what }) => words.some((word) => what.includes(word))));

test('nothing changes if nothing was refused', () => {
  const files = { 'A  b/größe%.txt': '', '-f': 'x'.repeat(1024) };
  expect(without().files(files)).toEqual(files);
  expect(without().directory('a b/Ü/1.2')).toBe('a b/Ü/1.2');
});

test.each([
  ['spaces', 'a  b/two words.txt', 'ax20x20b/twox20words.txt'],
  ['punctuation', "it's/a%41_#.txt", 'itx27s/ax2541x5fx23.txt'],
  ['ASCII', 'ü/😀.txt', 'xfc/x1f600.txt'],
  ['upper', 'A/READ me.txt', 'a/read me.txt'],
  ['dots', 'v1.2/f.tar.gz', 'v1x2e2/fx2etar.gz'],
  ['hyphen', '-f/-f', 'x2df/x2df'],
  ['deep', 'a/b/c/d/f', 'ax2fbx2fcx2fd/f'],
  ['extension', 'a/f', 'a/f.txt'],
  ['files whose names have one', 'a/f', 'a/x66'],
  ['directories whose names have one', 'a/b/f', 'x61/x62/f'],
  ['long', `${'a'.repeat(60)}/f`, `${'a'.repeat(49)}/f`],
  ['long', `${'a'.repeat(60)}.txt`, `${'a'.repeat(45)}.txt`],
])('without %s, %s is written as %s', (word, path, plain) => {
  expect(Object.keys(without(word).files({ [path]: 'x' }))).toEqual([plain]);
  expect(Object.keys(without(word).files({ [plain]: 'x' }))).toEqual([plain]);
});

test('only that changes which was refused, and a replaced name is the same everywhere', () => {
  const { directory, files } = without('spaces', 'upper');
  expect(Object.keys(files({ 'A b/Größe.txt': 'x' }))).toEqual([`${directory('A b')}/größe.txt`]);
});

test.each([
  ['nothing', 'tmp/1/a', 2, 'tmp'],
  ['deep', 'tmp/1/a', 2, 'tmp/1'],
  ['deep', 'tmp/1/a', 0, 'tmp/1/a'],
  ['spaces', 'tmp/1/a b', 2, 'tmp/1/a b'],
])('without %s, files of %s are named from at most %i levels above: %s', (word, path, levels, from) => {
  expect(farthestAbove(without(word), path, levels)).toBe(from);
});

test('a write has fewer files, or others that are not empty or large', () => {
  const files = { a: '', b: 'x', c: 'é'.repeat(500), d: 'x' };
  expect(Object.keys(without('a few').files(files))).toEqual(['a', 'b', 'c']);
  expect(without('empty files').files(files)).toEqual({ ...files, a: 'x' });
  expect(Buffer.byteLength(without('not small').files(files)['c']!)).toBeLessThanOrEqual(100);
});

test.each(unusualFiles)('the probe of $what is not plain, but its replacement is', ({ what, probe, at = '' }) => {
  const { directory, files } = without(what);
  expect([directory(at), files(probe)]).not.toEqual([at, probe]);
  expect(files(files(probe))).toEqual(files(probe));
});

test('no two of the probed paths differ only in letter case', () => {
  const paths = unusualFiles
    .flatMap(({ probe }) => Object.keys(probe))
    .flatMap((path) => path.split('/').map((_, at, names) => names.slice(0, at + 1).join('/')));
  const distinct = new Set(paths);
  expect(new Set([...distinct].map((path) => path.toLowerCase())).size).toBe(distinct.size);
});

test('a replaced name is plain in every respect that was refused', () => {
  const { files } = without('extension', 'one character', 'long');
  const paths = Object.keys(
    files({ f: 'x', 'a/f': 'x', [`b/${'a'.repeat(60)}`]: 'x', [`${'a'.repeat(60)}.txt`]: 'x' }),
  );
  expect(paths).toEqual(['f.txt', 'x61/f.txt', `x62/${'a'.repeat(45)}.txt`, `${'a'.repeat(45)}.txt`]);
});

test.each(unusualFiles.filter(({ what }) => !/names|extension/.test(what)))(
  'the names of the probe of $what are plain',
  ({ probe, at = '' }) => {
    const { directory, files } = namesWithout(unusualFiles.filter(({ name }) => name !== undefined));
    expect([directory(at), Object.keys(files(probe))]).toEqual([at, Object.keys(probe)]);
  },
);

test.each(['extension', 'one character'])('no other probe has files that the row of %s concerns', (word) => {
  const { directory, files } = without(word);
  for (const { what, probe, at = '' } of unusualFiles) {
    if (what.includes(word) || what.includes('one character')) continue;
    expect([what, directory(at), Object.keys(files(probe))]).toEqual([what, at, Object.keys(probe)]);
  }
});
