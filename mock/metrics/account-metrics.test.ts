import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingDimensionTable } from '../../spec/values.ts';
import { BILLING_DIMENSION_NAMES } from './dimensions.ts';
import { GROUP_BY_VALUES } from './groups.ts';
import { sampleAccount } from '../testing/sample-account.ts';
import type { MeteredResource } from './meters.ts';
import {
  DAY,
  NOW,
  account,
  OCTOBER,
  metricsBytes,
  queryMetrics,
  allEntries,
  nameOf,
  groupBys,
} from '../testing/query-metrics.ts';

test('the serialized response equals JSON.stringify of the same value', () => {
  for (const values of [[], ...groupBys]) {
    const text = metricsBytes(`${OCTOBER}${values.length > 0 ? `&groupBy=${values.join(',')}` : ''}`);
    expect(JSON.stringify(JSON.parse(text))).toBe(text);
  }
});

test('the response contains the window in UTC and the resolution', () => {
  expect(queryMetrics('startTime=2026-10-01T02:00:00%2B02:00&endTime=2026-10-02T00:00:00.5Z')).toMatchObject({
    startTime: '2026-10-01T00:00:00Z',
    endTime: '2026-10-02T00:00:00.500Z',
    resolution: 'hourly',
  });
});

test('a filter returns the group of its value', () => {
  const filters = {
    workspace: 'workspace',
    resource_type: 'resourceType',
    resource_name: 'resourceName',
    resource_uuid: 'resourceUuid',
    billing_dimension: 'billingDimension',
  } as const;
  for (const dimension of GROUP_BY_VALUES) {
    const field = filters[dimension];
    const all = allEntries(`${OCTOBER}&groupBy=${dimension}`);
    for (const value of new Set(all.map((entry) => entry[field]))) {
      if (value === undefined) continue;
      const slice = all.filter((entry) => entry[field] === value);
      expect(allEntries(`${OCTOBER}&groupBy=${dimension}&${field}=${value}`)).toEqual(slice);
    }
  }
});

test('filters are combined, and an unknown value returns no groups', () => {
  const wide = queryMetrics(`${OCTOBER}&resourceType=agent`).summary.totalCost;
  const narrow = queryMetrics(`${OCTOBER}&resourceType=agent&billingDimension=agent_image_storage_gbs&workspace=alpha`);
  expect(narrow.summary.totalCost).toBeGreaterThan(0);
  expect(narrow.summary.totalCost).toBeLessThan(wide);
  for (const filter of ['resourceType=spaceship', 'resourceType=agent&billingDimension=volume_storage_gbs']) {
    const nothing = queryMetrics(`${OCTOBER}&${filter}`);
    expect(nothing.summary.totalCost).toBe(0);
    expect(nothing.data).toHaveLength(1);
    expect(nothing.data[0]?.timeseries).toHaveLength(31);
    expect(queryMetrics(`${OCTOBER}&${filter}&groupBy=workspace`).data).toEqual([]);
  }
});

const FILLED: Record<string, string[]> = {
  workspace: ['workspace'],
  resource_type: ['resourceType'],
  resource_name: ['workspace', 'resourceType', 'resourceName'],
  resource_uuid: ['workspace', 'resourceType', 'resourceName', 'resourceUuid'],
  billing_dimension: ['resourceType', 'billingDimension'],
};

test.each(groupBys)('groupBy %s %s %s sets only requested and enriched fields', (...values) => {
  const names = values.filter((value) => value !== undefined);
  const expected = new Set(names.flatMap((value) => FILLED[value] ?? []));
  const hasUsage = names.includes('billing_dimension');
  const response = queryMetrics(`${OCTOBER}&groupBy=${names.join(',')}`);
  expect('totalUsage' in response.summary).toBe(hasUsage);
  for (const entry of response.data) {
    const fields = new Set(Object.keys(JSON.parse(nameOf(entry)) as object));
    if (entry.resourceType === 'custom_domain') fields.add('resourceUuid');
    expect([...fields].filter((field) => expected.has(field)).sort()).toEqual([...expected].sort());
    expect([...fields].filter((field) => !expected.has(field) && field !== 'resourceUuid')).toEqual([]);
    expect(new Set(entry.timeseries.map((item) => 'usage' in item))).toEqual(new Set([hasUsage]));
    expect('usage' in entry.summary).toBe(hasUsage);
  }
  expect(new Set(response.data.map(nameOf)).size).toBe(response.data.length);
});

test('only a custom domain has no resourceUuid', () => {
  for (const entry of allEntries(`${OCTOBER}&groupBy=resource_uuid`)) {
    expect('resourceUuid' in entry).toBe(entry.resourceType !== 'custom_domain');
  }
});

test('one name in two workspaces yields two entries', () => {
  const shared = allEntries(`${OCTOBER}&groupBy=resource_name&resourceName=shared-0`);
  expect(new Set(shared.map(({ workspace }) => workspace)).size).toBeGreaterThan(1);
});

test('each billing dimension is listed with its resource type', () => {
  const entries = allEntries(`${OCTOBER}&groupBy=billing_dimension`);
  expect(entries.map(({ billingDimension }) => billingDimension)).toEqual(BILLING_DIMENSION_NAMES.toSorted());
  for (const name of BILLING_DIMENSION_NAMES) {
    const entry = entries.find(({ billingDimension }) => billingDimension === name);
    expect(entry?.resourceType).toBe(billingDimensionTable[name].resourceType);
  }
});

test.each([
  'workspace=alpha',
  ...groupBys.filter((set) => set.includes('workspace')).map((set) => `groupBy=${set.join(',')}`),
])('%s is for account admins', (parameters) => {
  const refused = expect.objectContaining({ status: 403, message: 'Access denied' });
  expect(() => queryMetrics(`${OCTOBER}&${parameters}`, { isAccountAdmin: false })).toThrow(refused);
  expect(queryMetrics(`${OCTOBER}&${parameters}`).data.length).toBeGreaterThan(0);
});

test('other callers may query their accounts', () => {
  for (const values of groupBys.filter((set) => !set.includes('workspace'))) {
    expect(
      queryMetrics(`${OCTOBER}&groupBy=${values.join(',')}`, { isAccountAdmin: false }).data.length,
    ).toBeGreaterThan(0);
  }
});

test('an empty account has one entry of zeros, and no groups', () => {
  const empty = queryMetrics(OCTOBER, { resources: [] });
  expect(empty.data).toHaveLength(1);
  expect(empty.data[0]?.timeseries.map(({ cost }) => cost)).toEqual(Array.from({ length: 31 }, () => 0));
  expect(queryMetrics(`${OCTOBER}&groupBy=billing_dimension`, { resources: [] })).toMatchObject({
    summary: { totalCost: 0, totalUsage: 0 },
    data: [],
    meta: { hasMore: false, nextCursor: '' },
  });
});

test('a window before the first resource contains only zeros', () => {
  expect(queryMetrics('startTime=1969-12-01T00:00:00Z&endTime=1970-02-01T00:00:00Z').summary.totalCost).toBe(0);
});

test('buckets after now are present with a cost of zero', () => {
  const future = queryMetrics('startTime=2026-11-15T13:00:00Z&endTime=2026-11-16T00:00:00Z');
  expect(future.data[0]?.timeseries.map(({ cost }) => cost)).toEqual(Array.from({ length: 11 }, () => 0));
  const today = queryMetrics('startTime=2026-11-15T00:00:00Z&endTime=2026-11-16T00:00:00Z').data[0]?.timeseries ?? [];
  expect(today).toHaveLength(24);
  expect(today.slice(13).every(({ cost }) => cost === 0)).toBe(true);
  expect(today[12]?.cost).toBeGreaterThan(0);
});

test('past buckets do not change as the clock advances', () => {
  const parameters = `${OCTOBER}&groupBy=resource_uuid,billing_dimension`;
  expect(metricsBytes(parameters, { now: NOW + 100 * DAY })).toBe(metricsBytes(parameters));
});

test('a deleted resource keeps its past usage and has none from then on', () => {
  const at = Date.parse('2026-10-15T06:30:00Z');
  const resource = account.find(
    ({ type, meters }) => type === 'volume' && (meters[0]?.spans[0]?.start ?? NOW) < at - 30 * DAY,
  );
  if (resource === undefined) throw new Error('The sample has no such volume.');
  const before = queryMetrics(OCTOBER, { resources: [resource] }).data[0]?.timeseries ?? [];
  const meters = resource.meters.map((meter) => ({
    ...meter,
    spans: meter.spans.map((span) => ({ ...span, end: at })),
  }));
  const after = queryMetrics(OCTOBER, { resources: [{ ...resource, meters }] }).data[0]?.timeseries ?? [];
  expect(after.slice(0, 14)).toEqual(before.slice(0, 14));
  expect(after[14]?.cost).toBeGreaterThan(0);
  expect(after[14]?.cost).toBeLessThan(before[14]?.cost ?? 0);
  expect(after.slice(15).every(({ cost }) => cost === 0)).toBe(true);
});

test('usage has quiet periods', () => {
  const entries = allEntries(
    'startTime=2026-08-20T00:00:00Z&endTime=2026-11-15T00:00:00Z&groupBy=resource_uuid,billing_dimension',
  );
  const gaps = entries.filter(({ timeseries }) => /10+1/.test(timeseries.map(({ cost }) => Math.sign(cost)).join('')));
  expect(gaps.length).toBeGreaterThan(3);
});

test('the response bytes depend on the seed', () => {
  const again: MeteredResource[] = structuredClone([...account]);
  const parameters = `${OCTOBER}&groupBy=resource_uuid`;
  expect(metricsBytes(parameters, { resources: again })).toBe(metricsBytes(parameters));
  expect(metricsBytes(parameters, { resources: again, seed: 8 })).not.toBe(metricsBytes(parameters));
});

const updatedGroupBys = [
  '',
  '&resourceType=agent',
  '&groupBy=resource_type',
  '&groupBy=resource_name',
  '&groupBy=billing_dimension&resourceType=volume',
  '&groupBy=resource_uuid,billing_dimension',
  '&resourceName=shared-1',
  `&resourceUuid=${sampleAccount(45, 7, NOW)[41]?.uuid}&groupBy=billing_dimension`,
  `&workspace=${account[0]?.workspace}&groupBy=resource_type`,
  '&billingDimension=agent_compute_runtime_gbs&groupBy=workspace',
];

test('after changes and additions, an index that was updated gives the same responses as a new one', () => {
  const [known, added] = [sampleAccount(40, 7, NOW), sampleAccount(45, 7, NOW).slice(40)];
  const change = fc.record({ at: fc.nat({ max: 39 }), from: fc.nat({ max: 39 }) });
  // Some groupings miss some rounds, and some rounds have more changes than an index is updated with.
  const round = fc.record({
    changes: fc.oneof(fc.array(change), fc.array(change, { minLength: 250, maxLength: 250 })),
    queried: fc.subarray(updatedGroupBys),
  });
  fc.assert(
    fc.property(fc.array(round, { maxLength: 6 }), fc.nat({ max: 5 }), (rounds, count) => {
      let before: readonly MeteredResource[] = [...known];
      for (const groupBy of updatedGroupBys) metricsBytes(OCTOBER + groupBy, { resources: before });
      for (const { changes, queried } of rounds) {
        const resources = [...before, ...(before.length === known.length ? added.slice(0, count) : [])];
        for (const { at, from } of changes) resources[at] = { ...resources[at]!, meters: known[from]!.meters };
        for (const groupBy of queried)
          expect(metricsBytes(OCTOBER + groupBy, { resources, before })).toBe(
            metricsBytes(OCTOBER + groupBy, { resources: [...resources] }),
          );
        before = resources;
      }
    }),
    { numRuns: 30 },
  );
});

test('a list with fewer or other resources is indexed anew', () => {
  const before = sampleAccount(20, 7, NOW);
  const parameters = `${OCTOBER}&groupBy=resource_uuid`;
  metricsBytes(parameters, { resources: before });
  for (const resources of [before.slice(5), before.toReversed()])
    expect(metricsBytes(parameters, { resources, before })).toBe(
      metricsBytes(parameters, { resources: [...resources] }),
    );
});

test('the array of resources is frozen: a change creates a new array', () => {
  const resources = sampleAccount(3, 7, NOW);
  queryMetrics(OCTOBER, { resources });
  expect(() => resources.pop()).toThrow(TypeError);
});
