import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexOf } from './meter-index.ts';
import { ticksAt } from './usage-patterns.ts';
import {
  DAY,
  NOW,
  account,
  OCTOBER,
  queryMetrics,
  allEntries,
  micro,
  sum,
  nameOf,
  windowOf,
  groupBys,
  hour,
  groupBy,
} from '../testing/query-metrics.ts';

test('every bucket is the sum of all meters, read one by one', () => {
  fc.assert(
    fc.property(hour, fc.integer({ min: 1, max: 7 * 86_400 }), (start, seconds) => {
      const { data } = queryMetrics(windowOf(start, start + seconds * 1000));
      const edges = [
        ...(data[0]?.timeseries ?? []).map(({ timestamp }) => Date.parse(timestamp)),
        start + seconds * 1000,
      ];
      const stretches = indexOf({ resources: account }, 7).metered.flatMap((metered) => metered.stretches);
      const readings = edges.map((edge) =>
        sum(
          stretches.map(({ usagePattern, rate, start: from, end = Infinity }) => {
            const until = Math.max(from, Math.min(edge / 1000, end, Math.floor(NOW / 1000)));
            return rate * (ticksAt(usagePattern, until) - ticksAt(usagePattern, from));
          }),
        ),
      );
      const costs = readings.slice(1).map((reading, nth) => reading - (readings[nth] ?? 0));
      expect(data[0]?.timeseries.map(({ cost }) => micro(cost))).toEqual(costs);
    }),
    { numRuns: 30 },
  );
});

const [named] = account;
const filters = fc.constantFrom(
  '',
  '&resourceType=agent',
  '&resourceType=unknown',
  `&workspace=${named?.workspace}&billingDimension=agent_compute_runtime_gbs`,
  `&resourceType=${named?.type}&resourceName=${named?.name}`,
);

test('each entry is exactly the sum of its buckets, and the total the sum of the entries', () => {
  fc.assert(
    fc.property(hour, fc.integer({ min: 1, max: 600 }), groupBy, filters, (start, hours, dimensions, filter) => {
      const parameters = `${windowOf(start, start + hours * 3_600_000)}&groupBy=${dimensions}${filter}`;
      const entries = allEntries(parameters);
      for (const { summary, timeseries } of entries) {
        expect(sum(timeseries.map(({ cost }) => micro(cost)))).toBe(micro(summary.cost));
        expect(sum(timeseries.map(({ usage }) => micro(usage ?? 0)))).toBe(micro(summary.usage ?? 0));
      }
      expect(micro(queryMetrics(parameters).summary.totalCost)).toBe(
        sum(entries.map(({ summary }) => micro(summary.cost))),
      );
    }),
    { numRuns: 40 },
  );
});

test('the total is the same for every groupBy and every resolution', () => {
  const total = queryMetrics(OCTOBER).summary.totalCost;
  expect(total).toBeGreaterThan(0);
  for (const values of groupBys)
    expect(queryMetrics(`${OCTOBER}&groupBy=${values.join(',')}`).summary.totalCost).toBe(total);
  for (const resolution of ['daily', 'weekly', 'monthly']) {
    expect(queryMetrics(`${OCTOBER}&resolution=${resolution}`).summary.totalCost).toBe(total);
  }
});

test('adjacent windows add up, group by group', () => {
  fc.assert(
    fc.property(fc.uniqueArray(hour, { minLength: 3, maxLength: 3 }), groupBy, (hours, dimensions) => {
      const [a = 0, b = 0, c = 0] = hours.sort((left, right) => left - right);
      const costs = (start: number, end: number) =>
        allEntries(`${windowOf(start, end)}&groupBy=${dimensions}&resolution=monthly`).map(
          (entry) => [nameOf(entry), micro(entry.summary.cost)] as const,
        );
      const parts = new Map<string, number>();
      for (const [name, cost] of [...costs(a, b), ...costs(b, c)]) parts.set(name, (parts.get(name) ?? 0) + cost);
      expect(Object.fromEntries(costs(a, c))).toEqual(Object.fromEntries(parts));
    }),
    { numRuns: 40 },
  );
});

test('days are the sums of their hours', () => {
  const week = windowOf(NOW - (NOW % DAY) - 20 * DAY, NOW - (NOW % DAY) - 13 * DAY);
  const daily = queryMetrics(`${week}&resolution=daily&groupBy=resource_type`);
  const hourly = queryMetrics(`${week}&resolution=hourly&groupBy=resource_type`);
  for (const [nth, { timeseries }] of daily.data.entries()) {
    const hours = hourly.data[nth]?.timeseries ?? [];
    expect(timeseries.map(({ cost }) => micro(cost))).toEqual(
      timeseries.map((_, day) => sum(hours.slice(24 * day, 24 * day + 24).map(({ cost }) => micro(cost)))),
    );
  }
});

test('a finer grouping summed over the dropped dimension is the coarser one, bucket by bucket', () => {
  const fine = allEntries(`${OCTOBER}&groupBy=resource_uuid,billing_dimension`);
  const coarse = allEntries(`${OCTOBER}&groupBy=billing_dimension`);
  for (const { billingDimension, timeseries } of coarse) {
    const parts = fine.filter((entry) => entry.billingDimension === billingDimension);
    expect(timeseries.map(({ cost }) => micro(cost))).toEqual(
      timeseries.map((_, bucket) => sum(parts.map((part) => micro(part.timeseries[bucket]?.cost ?? 0)))),
    );
  }
});
