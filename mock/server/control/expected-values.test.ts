import { expect, test } from 'vitest';
import { requireFewExpectedValues } from './expected-values.ts';

/** Six values: the object, the list in it and the four elements of the list. */
const body = { list: [0, null, 'text', true] };

test('values at all levels count, also the bodies and their list', () => {
  const bodies = Array.from({ length: 333 }, () => body);
  expect(() => requireFewExpectedValues([...bodies, undefined])).not.toThrow();
  expect(() => requireFewExpectedValues([...bodies, 0, 0])).toThrow('2001');
});
