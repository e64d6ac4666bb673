import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import { judgeExchanges } from '../testing/judge-exchanges.ts';
import { collectCases } from '../engine/collect-cases.ts';

// Loads the suite files of these rules.
await collectCases(['sandbox.tree.write-answers-listing']);

const file = (name: string, size: number) => ({
  name,
  path: `/tmp/x/${name}`,
  size,
  group: 'g',
  owner: 'o',
  permissions: '644',
  lastModified: '2026-05-01T10:00:00Z',
});

const written = (rule: MustId, files: unknown, received: object, status = 200, path = 'tmp/x'): string =>
  judgeExchanges(rule, [
    { surface: 'sandbox', method: 'PUT', url: `/filesystem/tree/${path}`, sent: { files }, received, status },
  ])[0]!;

test.each<[MustId, unknown, object, string]>([
  ['sandbox.tree.write-answers-listing', { a: 'x' }, { files: [] }, 'breaks'],
  ['sandbox.tree.write-answers-listing', { '/a': 'x', './b': 'x', '../c': 'x', 'd/': 'x' }, { files: [] }, 'keeps'],
  ['sandbox.tree.write-answers-listing', { a: 'x', A: 'x' }, { files: [] }, 'says nothing'],
  ['sandbox.tree.write-answers-listing', { a: 'x', 'a/b': 'x' }, { files: [] }, 'says nothing'],
  ['sandbox.tree.nested-directories', { 'a/b': 'x' }, { files: [] }, 'breaks'],
  ['sandbox.tree.size-in-bytes', { a: 'é' }, { files: [file('a', 1)] }, 'breaks'],
  ['sandbox.tree.size-in-bytes', { a: '\ud800' }, { files: [file('a', 3)] }, 'says nothing'],
  [
    'sandbox.tree.listing-shape',
    {},
    { files: [file('é'.normalize('NFC'), 1), file('é'.normalize('NFD'), 1)] },
    'keeps',
  ],
  ['sandbox.tree.bad-body-rejected', { a: 1 }, {}, 'breaks'],
  ['sandbox.tree.bad-body-rejected', { a: null }, {}, 'says nothing'],
])('%s: %j listed as %j', (rule, files, received, expected) => {
  expect(written(rule, files, received)).toBe(expected);
});

test('a file without a name may have any path', () => {
  const listing = { files: [{ ...file('', 1), path: '/tmp/x/' }], path: '/tmp/x', name: 'x' };
  expect(written('sandbox.tree.paths-end-with-names', { '': 'x' }, listing)).toBe('keeps');
});

test.each([
  ['/tmp/x/a', 'keeps'],
  ['x/a', 'keeps'],
  ['a', 'keeps'],
  ['./a', 'keeps'],
  ['/mnt/volume-1/x/a', 'keeps'],
  ['/tmp/a', 'breaks'],
  ['/tmp/x/y/a', 'breaks'],
])('the path of a file in x: %s', (path, expected) => {
  const listing = { files: [{ ...file('a', 1), path }], path: '/tmp/x', name: 'x' };
  expect(written('sandbox.tree.paths-end-with-names', { a: 'x' }, listing)).toBe(expected);
});

test('a directory may be written as a relative one', () => {
  const listing = { files: [file('a', 1)], path: '/tmp', name: 'tmp' };
  expect(written('sandbox.tree.paths-end-with-names', { a: 'x' }, listing, 200, 'tmp/x/%2E%2E')).toBe('keeps');
  expect(written('sandbox.tree.paths-end-with-names', { a: 'x' }, listing)).toBe('breaks');
});

test('another status may be about the address of the sandbox', () => {
  expect(written('sandbox.tree.bad-body-rejected', { a: 1 }, {}, 404)).toBe('says nothing');
  expect(written('sandbox.tree.bad-body-rejected', { a: 1 }, { error: 'no' }, 400)).toBe('keeps');
});
