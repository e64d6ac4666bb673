import { expect, test } from 'vitest';
import { findJsonExtension } from './json-extension.ts';

test.each([
  ['a line comment', '{\n  // a\n  "a": 1\n}', '2:3 JSON has no comments'],
  ['a block comment', '{"a": /* b */ 1}', '1:7 JSON has no comments'],
  ['a comment at the end', '{"a": 1} // b', '1:10 JSON has no comments'],
  ['a comment after a string with an escaped quote', String.raw`{"a": "\"//" /* b */}`, '1:14 JSON has no comments'],
  ['a no-break space', '{"a":\u00a01}', '1:6 JSON has no whitespace but spaces, tabs and line ends'],
])('%s is found', (_, text, expected) => {
  const { line, col, message } = findJsonExtension(text) ?? {};
  expect(`${line}:${col} ${message}`).toBe(expected);
});

test.each([
  '{"a": "// b", "/* c */": "\u00a0\ufeff"}',
  '{\r\n\t"a": "https://b/*"\r\n}',
  String.raw`{"a": "\\", "b": "//"}`,
])('nothing is found in %j', (text) => {
  expect(JSON.parse(text)).toBeTypeOf('object');
  expect(findJsonExtension(text)).toBeUndefined();
});
