import { expect, test } from 'vitest';
import { enumValuesIn, metricsIn } from './metrics-in.ts';

test.each([
  [{ data: [{ summary: { cost: 1 } }] }, ['data']],
  [{ summary: { totalCost: 0 }, data: [] }, ['summary']],
  [{ error: 'no such type', values: ['agent'] }, []],
  [{ status: 'fail', data: { reason: 'no' }, summary: 'refused' }, []],
  ['data', []],
])('the metrics in %j', (json, expected) => {
  expect(metricsIn(json)).toEqual(expected);
});

test.each([
  [{ values: ['agent'] }, ['values']],
  [{ values: ['billing_dimension', 'resource_type'] }, ['values']],
  [{ data: null, values: [] }, []],
  [{ error: 'no such resolution', values: ['hourly', 'daily'] }, []],
  ['agent', []],
])('the values of an enum operation in %j', (json, expected) => {
  expect(enumValuesIn(json)).toEqual(expected);
});
