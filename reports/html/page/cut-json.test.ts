import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './cut-json.ts';

test('whole JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(readJson(JSON.stringify(value))).toEqual({ value: JSON.parse(JSON.stringify(value)), whole: true });
    }),
  );
});

test('a list that is cut anywhere gives its first values', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 2 }), fc.nat(), (values, place) => {
      const text = JSON.stringify(values);
      const cut = readJson(text.slice(0, place % text.length));
      if (cut === undefined) return;
      const read = cut.value as unknown[];
      const before = JSON.parse(text) as unknown[];
      expect(cut.whole).toBe(false);
      expect(read.slice(0, -1)).toEqual(before.slice(0, Math.max(0, read.length - 1)));
    }),
  );
});

test.each([
  ['{"a":[1,2,3… (9 characters in all)', { a: [1, 2] }],
  ['{"a":1,"b":"x, {y', { a: 1 }],
  [String.raw`{"a":"\"",  "b":"\\`, { a: '"' }],
])('%s is read up to its last whole value', (text, value) => {
  expect(readJson(text)).toEqual({ value, whole: false });
});

test.each(['', 'plain text', '<p>a, b</p>', 'a, b', '{"a'])('%j is no JSON', (text) => {
  expect(readJson(text)).toBeUndefined();
});
