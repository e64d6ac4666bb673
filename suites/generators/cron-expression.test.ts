import { expect, test } from 'vitest';
import { similarSchedules } from './cron-expression.ts';

test.each([
  // A target may refuse the full hour, the first month, or certain days: one field at a time, and no neighbour of 0.
  ['0 0 1 1 0', ['0 0 2 1 0', '0 0 1 2 0', '0 0 1 1 7']],
  ['59 9 31 * *', ['58 9 31 * *', '59 9 27 * *']],
  ['0 9 * * 1-5', ['0 9 * * *']],
  ['* * * * *', []],
])('schedules like %s', (schedule, similar) => {
  expect(similarSchedules(schedule)).toEqual(similar);
});
