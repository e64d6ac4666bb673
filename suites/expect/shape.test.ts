import { expect, test } from 'vitest';
import { shapeOf } from './shape.ts';

test('values and the order of members do not matter', () => {
  expect(shapeOf({ a: 1, b: ['x', 'y'] })).toBe(shapeOf({ b: ['z'], a: 2 }));
});

test.each([
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: null }, {}],
  [[1], ['1']],
  [[1], [1, '1']],
  [{ a: { b: true } }, { a: { b: {} } }],
  [[], {}],
])('%j and %j differ', (one, other) => {
  expect(shapeOf(one)).not.toBe(shapeOf(other));
});
