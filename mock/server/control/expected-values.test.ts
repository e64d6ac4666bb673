import { expect, test } from 'vitest';
import { requireFewExpectedValues } from './expected-values.ts';

/** Six values: the object, the list in it and the four elements of the list. */
const body = { list: [0, null, 'text', true] };

test('values at all levels of bodies count, and those of queries and headers', () => {
  const matches = Array.from({ length: 333 }, () => ({ body }));
  expect(() => requireFewExpectedValues([...matches, {}, { query: { a: '1' } }])).not.toThrow();
  expect(() => requireFewExpectedValues([...matches, { query: { a: null, b: 1 } }])).toThrow('2001');
  expect(() => requireFewExpectedValues([...matches, { headers: { a: '1' } }, { body: 0 }])).toThrow('2001');
});
