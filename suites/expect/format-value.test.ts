import { expect, test } from 'vitest';
import { formatValue, formatBoth } from './format-value.ts';

test('short values are printed whole', () => {
  expect([undefined, null, 1, { a: 'b' }].map((value) => formatValue(value))).toEqual([
    'absent',
    'null',
    '1',
    '{"a":"b"}',
  ]);
  expect(formatBoth('a', undefined)).toEqual(['"a"', 'absent']);
});

test('a long value is truncated visibly', () => {
  expect(formatValue('x'.repeat(200), 10)).toBe('"xxxxxxxxx…');
});

test('of two long values, the part around their first difference is printed', () => {
  const [one, other] = formatBoth(`${'x'.repeat(500)}a`, `${'x'.repeat(500)}bc`);
  expect(one).toBe(`…${'x'.repeat(30)}a" (503 characters)`);
  expect(other).toBe(`…${'x'.repeat(30)}bc" (504 characters)`);
});

test('the lengths show a difference at the end of a truncated value', () => {
  expect(formatBoth('x'.repeat(2000), 'x'.repeat(1000))).toEqual([
    `…${'x'.repeat(90)}… (2002 characters)`,
    `…${'x'.repeat(30)}" (1002 characters)`,
  ]);
});
