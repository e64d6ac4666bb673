import { expect, test } from 'vitest';
import { metricsIn } from './metrics-in.ts';

test.each([
  [{ data: [{ summary: { cost: 1 } }] }, ['data']],
  [{ summary: { totalCost: 0 }, data: [] }, ['summary']],
  [{ values: ['agent'] }, ['values']],
  [{ status: 'fail', data: { reason: 'no' }, summary: 'refused' }, []],
  [{ data: null, values: [] }, []],
  ['data', []],
])('%j', (json, expected) => {
  expect(metricsIn(json)).toEqual(expected);
});
