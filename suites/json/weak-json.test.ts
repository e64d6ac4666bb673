import { expect, test } from 'vitest';
import { weakJson } from './weak-json.ts';

const large = JSON.stringify({ values: Array.from({ length: 20_000 }, (_, at) => at) });

test('a large text is parsed to the same value each time', () => {
  const value: unknown = JSON.parse(large);
  const jsonOf = weakJson(large, value);
  expect(jsonOf()).toBe(value);
  expect(weakJson(large, JSON.parse(large))()).toEqual(value);
});

test.each(['{"a":1}', '"text"', 'null'])('what %s is parsed to is kept', (text) => {
  const value: unknown = JSON.parse(text);
  expect(weakJson(text, value)()).toBe(value);
});
