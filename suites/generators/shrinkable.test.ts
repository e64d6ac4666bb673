import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginnings, shrinkable, withoutAnElement, withoutAnEntry } from './shrinkable.ts';

const smallestFailure = async <T>(arbitrary: fc.Arbitrary<T>, example: T, fails: (value: T) => boolean) => {
  const outcome = fc.check(
    fc.property(arbitrary, (value) => !fails(value)),
    { seed: 1, examples: [[example]], numRuns: 1 },
  );
  return outcome.counterexample?.[0];
};

// A mapped arbitrary cannot shrink values that it has not generated.
const upperCase = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((each) => each.join('').toUpperCase());
const lists = fc.array(upperCase, { minLength: 1, maxLength: 4 }).map((each) => [...each]);

test('an example becomes the simplest generated value if that fails too', async () => {
  expect(await smallestFailure(shrinkable(upperCase), 'CABBAGE', () => true)).toBe('A');
  expect(await smallestFailure(upperCase, 'CABBAGE', () => true)).toBe('CABBAGE');
});

test('an example loses the parts that do not matter', async () => {
  const shrinking = shrinkable(lists, withoutAnElement(1));
  const includesB = (list: readonly string[]): boolean => list.includes('B');
  expect(await smallestFailure(shrinking, ['A', 'C', 'B', 'D', 'E'], includesB)).toEqual(['B']);
  const entries = shrinkable(fc.constant<Record<string, string>>({ z: '' }), withoutAnEntry(1));
  expect(await smallestFailure(entries, { a: '1', b: '2', c: '3' }, (value) => 'c' in value)).toEqual({ c: '3' });
  const texts = shrinkable(fc.constantFrom('b'), beginnings);
  expect(await smallestFailure(texts, 'aaaaaaaaaaaa', (text) => text.startsWith('aaa'))).toBe('aaa');
});

test('a generated value shrinks as before', () => {
  const shrink = (arbitrary: fc.Arbitrary<string[]>) =>
    fc.check(
      fc.property(arbitrary, (list) => list.every((each) => !each.includes('C'))),
      { seed: 3 },
    );
  const { counterexample, counterexamplePath } = shrink(lists);
  expect(counterexample).toEqual([['C']]);
  expect(shrink(shrinkable(lists))).toMatchObject({ counterexample, counterexamplePath });
});

test('beginnings and lists keep their minimum', () => {
  expect(withoutAnElement(2)(['a', 'b'])).toEqual([]);
  expect(withoutAnElement()(['a', 'b'])).toEqual([['b'], ['a']]);
  expect(withoutAnElement(1)(['a', 'b', 'c', 'd'])[0]).toEqual(['a', 'b']);
  expect(beginnings('🙂')).toEqual([]);
  expect(beginnings('🙂🙂')).toEqual(['🙂']);
  expect(beginnings('x'.repeat(100)).map(({ length }) => length)).toEqual([50, 75, 87, 96, 99]);
  expect(beginnings('abcd')).toEqual(['ab', 'abc']);
});
