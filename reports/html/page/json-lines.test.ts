import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLines } from './json-lines.ts';

test('lines equal the output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (given) => {
      const value = JSON.parse(JSON.stringify(given)) as unknown;
      const lines = jsonLines(value).map(({ depth, text }) => '  '.repeat(depth) + text);
      expect(lines.join('\n')).toBe(JSON.stringify(value, null, 2));
    }),
  );
});

test('deeply nested values are on one line', () => {
  const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`;
  const lines = jsonLines(JSON.parse(deep));
  expect(lines).toHaveLength(41);
  expect(lines.map(({ text }) => text).join('')).toBe(deep);
});
