import { expect, test } from 'vitest';
import { cronFault } from './cron.ts';

test.each([
  '* * * * *',
  '0 9 * * 1',
  '*/15 0 1,15 * 1-5',
  '0-59 0-23 1-31 1-12 0-7',
  '0 0 * JAN-MAR MON',
  '0 0 * * sun',
  '0 0 29 2 *',
  '5/15 * * * *',
  ' 0  0 * * * ',
  '0\t0 * * *',
])('%j is a schedule', (expression) => {
  expect(cronFault(expression)).toBeUndefined();
});

test.each([
  '',
  ' ',
  '* * * *',
  '* * * * * *',
  '@daily',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * 32 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '5-1 * * * *',
  '1.5 * * * *',
  '-1 * * * *',
  ',1 * * * *',
  'a b c d e',
])('%j is none', (expression) => {
  expect(cronFault(expression)).toEqual(expect.any(String));
});
