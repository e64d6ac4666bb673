import { expect, test } from 'vitest';
import { dereference } from './dereference.ts';

/** Dereferences the first of these files. */
function resolved(files: Record<string, unknown>): unknown {
  const [source = '', value] = Object.entries(files)[0] ?? [];
  const reading = {
    version: '3.1' as const,
    minorVersion: 1,
    contentOf: (name: string) => files[name],
    typeFindings: [],
  };
  return dereference({ value, path: [], source, reading });
}

test('references are replaced, across files and through other references', () => {
  const files = {
    '/a.yaml': { one: { $ref: '#/two' }, two: { $ref: 'b.yaml#/three' }, list: [{ $ref: '#/one' }], text: 'a' },
    '/b.yaml': { three: { deep: { $ref: '#/four' } }, four: 4 },
  };
  expect(resolved(files)).toEqual({ one: { deep: 4 }, two: { deep: 4 }, list: [{ deep: 4 }], text: 'a' });
});

test('siblings of a reference are dropped', () => {
  expect(resolved({ '/a.yaml': { one: { $ref: '#/two', more: 1 }, two: { kept: 2 } } })).toMatchObject({
    one: { kept: 2 },
  });
});

test('a reference within what it leads to, or one that leads nowhere, stays', () => {
  const tree = { children: { items: { $ref: '#/tree' } } };
  const circle = { $ref: '#/circle' };
  const nowhere = { $ref: '#/gone' };
  expect(resolved({ '/a.yaml': { tree, circle, nowhere } })).toEqual({ tree, circle, nowhere });
});

test('what occurs several times is shared, however often it expands', () => {
  const levels = Array.from({ length: 60 }, (_, level) => [
    `level${level}`,
    { left: { $ref: `#/level${level + 1}` }, right: { $ref: `#/level${level + 1}` } },
  ]);
  const { level0 } = resolved({ '/a.yaml': { ...Object.fromEntries(levels), level60: 'end' } }) as {
    level0: { left: unknown; right: unknown };
  };
  expect(level0.left).toBe(level0.right);
});
