import { expect, test } from 'vitest';
import { billingDimensionTable } from '../../spec/values.ts';
import {
  BILLING_DIMENSION_NAMES,
  dimensionRow,
  dimensionsOf,
  METER_KINDS,
  microUsdPerTick,
  type ResourceType,
} from './dimensions.ts';

test('every resource type of the documents is metered', () => {
  const types = new Set(Object.values(billingDimensionTable).map(({ resourceType }) => resourceType));
  for (const type of types) {
    expect(dimensionsOf(type as ResourceType)).not.toEqual([]);
  }
  expect(BILLING_DIMENSION_NAMES).toHaveLength(12);
});

test.each(BILLING_DIMENSION_NAMES)('a tick of %s costs a whole number of micro-dollars, at the unit price', (name) => {
  const { kind, microUsdPerUnit } = dimensionRow(name);
  const unitsPerTick = METER_KINDS[kind].usageDigits / 10 ** METER_KINDS[kind].usageDecimals;
  expect(Number.isInteger(microUsdPerTick(name))).toBe(true);
  expect(microUsdPerTick(name)).toBeGreaterThan(0);
  expect(microUsdPerTick(name) / unitsPerTick).toBeCloseTo(microUsdPerUnit, 9);
});
