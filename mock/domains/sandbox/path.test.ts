import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Problem } from '../../http/problems.ts';
import { absolutePath, fileBelow, filePath, isBelow, nameOf, parentPath } from './path.ts';

test.each(['app', '/app', '//app', 'app/', './app', 'x/../app', '../../app', '/app/.'])('%s is /app', (path) => {
  expect(absolutePath(path)).toBe('/app');
});

test.each(['', '/', '.', '..', '../..', 'a/../..'])('%j is the root', (path) => {
  expect(absolutePath(path)).toBe('/');
});

test('a relative path starts at a directory and cannot leave the root', () => {
  expect(absolutePath('../etc/x', '/app/src')).toBe('/app/etc/x');
  expect(absolutePath('../../../../etc', '/app/src')).toBe('/etc');
});

test('any resolved path is absolute, has no empty or dotted names, and resolves to itself', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('..', '.', '', 'a', 'b c', 'ü', '__proto__')), (names) => {
      const absolute = absolutePath(names.join('/'));
      expect(
        absolute === '/' ||
          absolute
            .slice(1)
            .split('/')
            .every((name) => !['', '.', '..'].includes(name)),
      ).toBe(true);
      expect(absolutePath(absolute)).toBe(absolute);
    }),
  );
});

test.each(['a\nb', 'a\0', 'x'.repeat(256), 'é'.repeat(128), 'abcdefg/'.repeat(600)])('%j is rejected', (path) => {
  expect(() => absolutePath(path)).toThrow(Problem);
});

test.each(['', '/', 'a/', 'a/.', '..', 'a/..'])('%j is not a file path', (path) => {
  expect(() => filePath(path, '/app')).toThrow(Problem);
});

test.each([
  '../outside.txt',
  '../../outside.txt',
  '/../../outside.txt',
  './../x',
  'a/../../x',
  '../deeper/x',
  'a/..//../x',
  '../../app/x',
])('%j is not below /app/deep', (path) => {
  expect(() => fileBelow('/app/deep', path)).toThrow('the path of a file below /app/deep');
});

test.each([
  ['/abs.txt', '/app/deep/abs.txt'],
  ['//abs.txt', '/app/deep/abs.txt'],
  ['x/../y', '/app/deep/y'],
  ['../deep/y', '/app/deep/y'],
  ['..y', '/app/deep/..y'],
  [String.raw`..\y`, String.raw`/app/deep/..\y`],
  ['%2e%2e/y', '/app/deep/%2e%2e/y'],
])('%j is below /app/deep', (path, absolute) => {
  expect(fileBelow('/app/deep', path)).toBe(absolute);
});

test('everything is below the root', () => {
  expect(fileBelow('/', '../../x')).toBe('/x');
});

test('a dotted name is a file', () => {
  expect([filePath('.env', '/app'), filePath('a...', '/app'), filePath('...')]).toEqual([
    '/app/.env',
    '/app/a...',
    '/...',
  ]);
});

test('a path is split into parent and name', () => {
  expect(['/a/b', '/a', '/'].map(parentPath)).toEqual(['/a', '/', '/']);
  expect(['/a/b', '/a', '/'].map(nameOf)).toEqual(['b', 'a', '/']);
});

test('a path is below another only if whole names match', () => {
  expect([isBelow('/app/x', '/app'), isBelow('/app', '/app'), isBelow('/apple', '/app'), isBelow('/x', '/')]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
