import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test.each([0, 1000])('a pause holds whoever comes after it, at %i requests a second', async (rate) => {
  const pace = createPace(rate);
  await pace.turn();
  const started = performance.now();
  pace.pause(50);
  pace.pause(10); // a shorter one does not end it
  await Promise.all([pace.turn(), pace.turn()]);
  expect(performance.now() - started).toBeGreaterThanOrEqual(49);
});

test('whoever waits can be called off', async () => {
  const pace = createPace(0);
  pace.pause(60_000);
  const caller = new AbortController();
  const waiting = pace.turn(caller.signal);
  caller.abort();
  await expect(waiting).rejects.toThrow('abort');
});
