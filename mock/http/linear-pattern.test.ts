import { expect, test } from 'vitest';
import { linearPattern, MAX_MATCHED_LENGTH } from './linear-pattern.ts';

test('a match has its groups', () => {
  expect(linearPattern('weather in (\\w+)( today)?').exec('the weather in Paris')).toEqual([
    'weather in Paris',
    'Paris',
    undefined,
  ]);
  expect(linearPattern('^\\p{L}.$').test('é😀')).toBe(true);
  expect(linearPattern('x').exec('y')).toBeUndefined();
});

test.each(['^(a+)+$', '(a|a)*$b', '(x+x+)+y', '^(.*)*z$'])('%s does not backtrack', { timeout: 5000 }, (pattern) => {
  expect(linearPattern(pattern).test(`${'a'.repeat(5000)}${'x'.repeat(5000)}!`)).toBe(false);
});

test.each(['(', '(?=a)', '(a)\\1', '[z-a]'])('%s is refused', (pattern) => {
  expect(() => linearPattern(pattern)).toThrow(/error parsing regexp/);
});

test('only the beginning of a long text is matched', () => {
  expect(linearPattern('b').test(`${'a'.repeat(MAX_MATCHED_LENGTH)}b`)).toBe(false);
});
