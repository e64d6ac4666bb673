import { expect, test } from 'vitest';
import { trackWrites } from './concurrent-writes.ts';

test('writes to one path that are open at the same time are concurrent', () => {
  const begin = trackWrites();
  const first = begin('PUT', 'http://a/v0/agents/one?x=1');
  const other = begin('PUT', 'http://a/v0/agents/two');
  const second = begin('DELETE', 'http://a/v0/agents/one');
  expect([first(), other(), second()]).toEqual([true, false, true]);
  expect(begin('PUT', 'http://a/v0/agents/one')()).toBe(false);
});

test('a read is not a write', () => {
  const begin = trackWrites();
  const write = begin('PUT', 'http://a/v0/agents/one');
  expect([begin('GET', 'http://a/v0/agents/one')(), write()]).toEqual([false, false]);
});
