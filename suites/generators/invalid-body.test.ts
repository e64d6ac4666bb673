import { expect, test } from 'vitest';
import { operation } from '../../spec/operations.ts';
import { exampleBodies, placesIn, replaceAt } from './invalid-body.ts';

test('every place of a value is found, and only that place is replaced', () => {
  const value = { a: [1, { b: 'x' }], c: null };
  expect(placesIn(value)).toEqual([[], ['a'], ['a', 0], ['a', 1], ['a', 1, 'b'], ['c']]);
  expect(replaceAt(value, ['a', 1, 'b'], 7)).toEqual({ a: [1, { b: 7 }], c: null });
  expect(replaceAt(value, [], 7)).toBe(7);
  expect(value).toEqual({ a: [1, { b: 'x' }], c: null });
});

test('the examples are those of the documents', () => {
  expect(exampleBodies(operation('updateAgent'))[0]).toMatchObject({ metadata: { name: expect.any(String) } });
  expect(exampleBodies(operation('listAccounts'))).toEqual([]);
});
