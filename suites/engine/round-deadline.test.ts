import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { HarnessError } from '../target/transport.ts';
import { beforeDeadline, roundSeconds } from './round-deadline.ts';

test('a round has ten minutes, and longer with a rate limit', () => {
  expect([0, 100, 20].map(roundSeconds)).toEqual([600, 700, 1100]);
});

test('a round that does not end is an error, and its case is over', async () => {
  const tally = { isOver: false };
  const keepsRunning = setInterval(() => {}, 1000);
  await expect(beforeDeadline(new Promise(() => {}), 0.01, tally)).rejects.toThrow(
    new HarnessError('the case did not end within 0 minutes'),
  );
  clearInterval(keepsRunning);
  expect(tally.isOver).toBe(true);
});

test('a round that ends in time has its own outcome', async () => {
  const tally = { isOver: false };
  await beforeDeadline(wait(1), 60, tally);
  await expect(beforeDeadline(Promise.reject(new Error('its own')), 60, tally)).rejects.toThrow('its own');
  expect(tally.isOver).toBe(false);
});
