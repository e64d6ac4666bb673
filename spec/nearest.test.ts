import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';
import { scopes } from './values.ts';

test.each([
  ['agents:updat', 'agents:update'],
  ['agent:update', 'agents:update'],
  ['update:agents', 'agents:update'],
  ['Sandboxes:Control', 'sandboxes:control'],
  ['mcphubs:list', 'mcphub:list'],
])('nearest to %s is %s', (word, wanted) => {
  expect(nearest(word, scopes)[0]).toBe(wanted);
});

test('two swapped letters are similar in a short word', () => {
  expect(nearest('stauts', ['status', 'headers', 'times'])).toEqual(['status']);
});

test.each(['', 'x', 'billing', '12345'])('nothing is similar to "%s"', (word) => {
  expect(nearest(word, scopes)).toEqual([]);
});

test('only words of at most four times the length are compared', () => {
  expect(nearest('abcd'.repeat(4), ['abcd'])).toEqual(['abcd']);
  expect(nearest(`${'abcd'.repeat(4)}a`, ['abcd'])).toEqual([]);
});
