import { expect, test } from 'vitest';
import { sampleAccount } from '../testing/sample-account.ts';
import {
  type Entry,
  NOW,
  account,
  OCTOBER,
  metricsBytes,
  queryMetrics,
  allEntries,
  nameOf,
  groupBys,
} from '../testing/query-metrics.ts';

test('permutations of one groupBy yield the same bytes, including cursors', () => {
  for (const values of groupBys) {
    const forwards = metricsBytes(`${OCTOBER}&limit=2&groupBy=${values.join(',')}`);
    expect(metricsBytes(`${OCTOBER}&limit=2&groupBy=${values.toReversed().join(',')}`)).toBe(forwards);
  }
});

test.each([1, 2, 3, 7, 49, 99, 100, 5000])('pages of %d contain every group exactly once', (limit) => {
  const parameters = `${OCTOBER}&groupBy=resource_uuid,billing_dimension`;
  const entries = allEntries(`${parameters}&limit=${limit}`);
  expect(entries.length).toBeGreaterThan(100);
  expect(entries).toEqual(allEntries(parameters));
  expect(new Set(entries.map(nameOf)).size).toBe(entries.length);
  expect(queryMetrics(`${parameters}&limit=${limit}`).data.length).toBe(Math.min(limit, 100));
});

test('the total is the same on every page', () => {
  const first = queryMetrics(`${OCTOBER}&groupBy=resource_uuid&limit=5`);
  const second = queryMetrics(`${OCTOBER}&groupBy=resource_uuid&limit=9&cursor=${first.meta.nextCursor}`);
  expect(second.summary).toEqual(first.summary);
  expect(second.data).toHaveLength(9);
});

test('resources created or deleted between pages neither repeat nor hide another', () => {
  const parameters = `${OCTOBER}&groupBy=resource_uuid&limit=10`;
  const { data, meta } = queryMetrics(parameters);
  const deleted = new Set(data.slice(0, 3).map(({ resourceUuid }) => resourceUuid));
  const later = [
    ...sampleAccount(120, 7, NOW).slice(100),
    ...account.filter(({ uuid }) => uuid === undefined || !deleted.has(uuid)),
  ];
  const rest = allEntries(parameters, { resources: later });
  const next = queryMetrics(`${parameters}&cursor=${meta.nextCursor}`, { resources: later });
  const expected = rest.filter(
    (entry) => !data.some((listed) => nameOf(listed) === nameOf(entry)) && keyOf(entry) > keyOf(data.at(-1)),
  );
  expect(next.data).toEqual(expected.slice(0, 10));
});

function keyOf(entry: Entry | undefined): string {
  return [entry?.workspace, entry?.resourceType, entry?.resourceName, entry?.resourceUuid ?? ''].join('\0');
}

test('a cursor is rejected for another query, for another account, and without groupBy', () => {
  const { nextCursor } = queryMetrics(`${OCTOBER}&groupBy=resource_uuid&limit=5`).meta;
  const badRequest = expect.objectContaining({ status: 400 });
  const cursor = `cursor=${nextCursor}`;
  expect(() => queryMetrics(`${OCTOBER}&${cursor}`)).toThrow(badRequest);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_name&${cursor}`)).toThrow(badRequest);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&resolution=weekly&${cursor}`)).toThrow(badRequest);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&resourceType=agent&${cursor}`)).toThrow(badRequest);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&${cursor}`, { accountId: 'other' })).toThrow(badRequest);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&${cursor}`, { cursorSecret: 'other' })).toThrow(
    badRequest,
  );
  expect(queryMetrics(`${OCTOBER}&groupBy=resource_uuid&limit=7&${cursor}`).data).toHaveLength(7);
});

test('ten thousand years of monthly buckets are served, with fewer groups per page', () => {
  const ages = 'startTime=0000-01-01T00:00:00Z&endTime=9999-12-31T23:59:59Z&resolution=monthly';
  const page = queryMetrics(`${ages}&groupBy=resource_type`);
  expect(page.data[0]?.timeseries).toHaveLength(120_000);
  expect(page.data).toHaveLength(1);
  expect(page.meta.hasMore).toBe(true);
  expect(page.summary.totalCost).toBe(queryMetrics(ages).summary.totalCost);
});
