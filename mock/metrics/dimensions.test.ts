import { expect, test } from 'vitest';
import { billingDimensionTable } from '../../spec/values.ts';
import { BILLING_DIMENSION_NAMES, dimensionRow, METER_KINDS, microUsdPerTick } from './dimensions.ts';

test('the dimensions, their resource types and units are those of the documents', () => {
  const table = BILLING_DIMENSION_NAMES.map((name) => {
    const { resourceType, unit } = dimensionRow(name);
    return [name, { resourceType, unit }];
  });
  expect(Object.fromEntries(table)).toEqual(billingDimensionTable);
  expect(BILLING_DIMENSION_NAMES).toHaveLength(12);
});

test.each(BILLING_DIMENSION_NAMES)('a tick of %s costs a whole number of micro-dollars, at the unit price', (name) => {
  const { kind, microUsdPerUnit } = dimensionRow(name);
  const unitsPerTick = METER_KINDS[kind].usageDigits / 10 ** METER_KINDS[kind].usageDecimals;
  expect(Number.isInteger(microUsdPerTick(name))).toBe(true);
  expect(microUsdPerTick(name)).toBeGreaterThan(0);
  expect(microUsdPerTick(name) / unitsPerTick).toBeCloseTo(microUsdPerUnit, 9);
});
