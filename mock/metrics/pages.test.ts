import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyText } from './groups.ts';
import { defaultMetricsChoices } from './options.ts';
import { openCursor, pageOf, sealCursor } from './pages.ts';

const groupsOf = (names: readonly string[]) => names.map((name) => ({ key: [name] }));

/** With the mock's own choices, where every group is listed. */
function listedPage<Group extends { readonly key: string[] }>(
  groups: Group[],
  after: string[] | undefined,
  limit: number,
  buckets: number,
) {
  return pageOf(groups, after, limit, buckets, defaultMetricsChoices, (group) => group);
}

test('a cursor returns the key it was sealed with, for any string', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (key) => {
      const cursor = sealCursor(key, 'query', 'secret');
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(openCursor(cursor, 'query', 'secret')).toEqual(key);
    }),
  );
});

test('a cursor is rejected with another query or secret, or if a character is changed', () => {
  const cursor = sealCursor(['agent', 'x'], 'query', 'secret');
  const refused = expect.objectContaining({ status: 400, message: expect.stringMatching(/^cursor /) });
  expect(() => openCursor(cursor, 'questions', 'secret')).toThrow(refused);
  expect(() => openCursor(cursor, 'query', 'secrets')).toThrow(refused);
  const altered = Array.from(cursor, (_, at) =>
    ['A', 'B', '-', '=', ' ', '', '%'].map((other) => cursor.slice(0, at) + other + cursor.slice(at + 1)),
  );
  for (const other of altered.flat().filter((text) => text !== cursor)) {
    expect(() => openCursor(other, 'query', 'secret')).toThrow(refused);
  }
});

test.each(['x', '0', 'bm90IG91cnM', 'A'.repeat(80), '{}', 'null', '💥'])(
  'the forged cursor %s is rejected',
  (cursor) => {
    expect(() => openCursor(cursor, 'query', 'secret')).toThrow(expect.objectContaining({ status: 400 }));
  },
);

test('pages of any size contain every group exactly once', () => {
  const names = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 30 }).map((list) => list.sort());
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 40 }), (list, limit) => {
      const listed: string[] = [];
      let page = listedPage(groupsOf(list), undefined, limit, 24);
      listed.push(...page.groups.map(({ key }) => keyText(key)));
      while (page.hasMore) {
        page = listedPage(groupsOf(list), [listed.at(-1) ?? ''], limit, 24);
        expect(page.groups.length).toBeGreaterThan(0);
        listed.push(...page.groups.map(({ key }) => keyText(key)));
      }
      expect(listed).toEqual(list);
    }),
  );
});

test('groups added or removed between two pages neither repeat nor hide another', () => {
  expect(listedPage(groupsOf(['a', 'b', 'd', 'e']), ['b'], 2, 24)).toEqual({
    groups: groupsOf(['d', 'e']),
    hasMore: false,
  });
  expect(listedPage(groupsOf(['a', 'aa', 'b', 'c', 'd']), ['b'], 2, 24).groups).toEqual(groupsOf(['c', 'd']));
  expect(listedPage(groupsOf(['a', 'c', 'd']), ['b'], 2, 24).groups).toEqual(groupsOf(['c', 'd']));
  expect(listedPage(groupsOf(['a']), ['b'], 2, 24)).toEqual({ groups: [], hasMore: false });
});

test('with very many buckets a page is smaller than its limit but never empty', () => {
  expect(listedPage(groupsOf(['a', 'b', 'c']), undefined, 100, 50_000).groups).toHaveLength(2);
  expect(listedPage(groupsOf(['a', 'b', 'c']), undefined, 100, 5_000_000)).toMatchObject({
    hasMore: true,
    groups: [{ key: ['a'] }],
  });
});
