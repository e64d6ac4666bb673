import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTruncatedJson } from './truncated-json.ts';

test('complete JSON is parsed unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(parseTruncatedJson(JSON.stringify(value))).toEqual({
        value: JSON.parse(JSON.stringify(value)),
        whole: true,
      });
    }),
  );
});

test('a list truncated anywhere yields its first values', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 2 }), fc.nat(), (values, place) => {
      const text = JSON.stringify(values);
      const cut = parseTruncatedJson(text.slice(0, place % text.length));
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
  expect(parseTruncatedJson(text)).toEqual({ value, whole: false });
});

test.each(['', 'plain text', '<p>a, b</p>', 'a, b', '{"a'])('%j is not JSON', (text) => {
  expect(parseTruncatedJson(text)).toBeUndefined();
});
