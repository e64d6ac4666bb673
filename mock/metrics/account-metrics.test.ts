import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { accountMetrics, type MetricsRequest } from './account-metrics.ts';
import { billingDimensionTable } from '../../spec/values.ts';
import { BILLING_DIMENSION_NAMES } from './dimensions.ts';
import { GROUP_BY_VALUES } from './groups.ts';
import { indexOf } from './meter-index.ts';
import { stopMeters, type MeteredResource } from './meters.ts';
import { ticksAt } from './usage-patterns.ts';
import { sampleAccount } from '../testing/sample-account.ts';

interface Item {
  timestamp: string;
  cost: number;
  usage?: number;
}
interface Entry {
  workspace?: string;
  resourceType?: string;
  resourceName?: string;
  resourceUuid?: string;
  billingDimension?: string;
  summary: { cost: number; usage?: number };
  timeseries: Item[];
}
interface MetricsResponse {
  startTime: string;
  endTime: string;
  resolution: string;
  summary: { totalCost: number; totalUsage?: number };
  data: Entry[];
  meta: { hasMore: boolean; nextCursor: string };
}

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-15T12:34:56Z');
const account = sampleAccount(100, 7, NOW);
const OCTOBER = 'startTime=2026-10-01T00:00:00Z&endTime=2026-11-01T00:00:00Z';

function bytes(parameters: string, overrides: Partial<MetricsRequest> = {}): string {
  return accountMetrics({
    resources: account,
    parameters: new URLSearchParams(parameters),
    now: NOW,
    isAccountAdmin: true,
    accountId: 'acc',
    cursorSecret: 'secret',
    seed: 7,
    ...overrides,
  }).toString();
}

function queryMetrics(parameters: string, overrides: Partial<MetricsRequest> = {}): MetricsResponse {
  return JSON.parse(bytes(parameters, overrides)) as MetricsResponse;
}

function walk(parameters: string, overrides: Partial<MetricsRequest> = {}): Entry[] {
  const entries: Entry[] = [];
  let page = queryMetrics(parameters, overrides);
  entries.push(...page.data);
  while (page.meta.hasMore) {
    page = queryMetrics(`${parameters}&cursor=${encodeURIComponent(page.meta.nextCursor)}`, overrides);
    entries.push(...page.data);
  }
  return entries;
}

/** Whole micro-dollars, so that sums in the tests are exact. */
const micro = (cost: number) => Math.round(cost * 1e6);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const nameOf = ({ summary: _, timeseries: __, ...name }: Entry) => JSON.stringify(name);
const windowOf = (start: number, end: number) =>
  `startTime=${new Date(start).toISOString()}&endTime=${new Date(end).toISOString()}`;

function subsets(values: readonly string[]): string[][] {
  return values.reduce<string[][]>((sets, value) => [...sets, ...sets.map((set) => [...set, value])], [[]]);
}
const groupBys = subsets(GROUP_BY_VALUES).filter(({ length }) => length > 0 && length <= 3);

const hour = fc.integer({ min: 0, max: 500 * 24 }).map((hours) => NOW - (NOW % DAY) - 450 * DAY + hours * 3_600_000);
const groupBy = fc.constantFrom(...groupBys.map((values) => values.join(',')));

test('the serialized response equals JSON.stringify of the same value', () => {
  for (const values of [[], ...groupBys]) {
    const text = bytes(`${OCTOBER}${values.length > 0 ? `&groupBy=${values.join(',')}` : ''}`);
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

test('every bucket is the sum of all meters, read one by one', () => {
  fc.assert(
    fc.property(hour, fc.integer({ min: 1, max: 7 * 86_400 }), (start, seconds) => {
      const { data } = queryMetrics(windowOf(start, start + seconds * 1000));
      const edges = [
        ...(data[0]?.timeseries ?? []).map(({ timestamp }) => Date.parse(timestamp)),
        start + seconds * 1000,
      ];
      const stretches = indexOf(account, 7).metered.flatMap((metered) => metered.stretches);
      const readings = edges.map((edge) =>
        sum(
          stretches.map(({ usagePattern: profile, rate, start: from, end }) => {
            const until = Math.max(from, Math.min(edge / 1000, end, Math.floor(NOW / 1000)));
            return rate * (ticksAt(profile, until) - ticksAt(profile, from));
          }),
        ),
      );
      const costs = readings.slice(1).map((reading, nth) => reading - (readings[nth] ?? 0));
      expect(data[0]?.timeseries.map(({ cost }) => micro(cost))).toEqual(costs);
    }),
    { numRuns: 30 },
  );
});

test('each entry is exactly the sum of its buckets, and the total the sum of the entries', () => {
  fc.assert(
    fc.property(hour, fc.integer({ min: 1, max: 600 }), groupBy, (start, hours, dimensions) => {
      const parameters = `${windowOf(start, start + hours * 3_600_000)}&groupBy=${dimensions}`;
      const entries = walk(parameters);
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
        walk(`${windowOf(start, end)}&groupBy=${dimensions}&resolution=monthly`).map(
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
  const fine = walk(`${OCTOBER}&groupBy=resource_uuid,billing_dimension`);
  const coarse = walk(`${OCTOBER}&groupBy=billing_dimension`);
  for (const { billingDimension, timeseries } of coarse) {
    const parts = fine.filter((entry) => entry.billingDimension === billingDimension);
    expect(timeseries.map(({ cost }) => micro(cost))).toEqual(
      timeseries.map((_, bucket) => sum(parts.map((part) => micro(part.timeseries[bucket]?.cost ?? 0)))),
    );
  }
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
    const all = walk(`${OCTOBER}&groupBy=${dimension}`);
    for (const value of new Set(all.map((entry) => entry[field]))) {
      if (value === undefined) continue;
      const slice = all.filter((entry) => entry[field] === value);
      expect(walk(`${OCTOBER}&groupBy=${dimension}&${field}=${value}`)).toEqual(slice);
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
  for (const entry of walk(`${OCTOBER}&groupBy=resource_uuid`)) {
    expect('resourceUuid' in entry).toBe(entry.resourceType !== 'custom_domain');
  }
});

test('one name in two workspaces yields two entries', () => {
  const shared = walk(`${OCTOBER}&groupBy=resource_name&resourceName=shared-0`);
  expect(new Set(shared.map(({ workspace }) => workspace)).size).toBeGreaterThan(1);
});

test('each billing dimension is listed with its resource type', () => {
  const entries = walk(`${OCTOBER}&groupBy=billing_dimension`);
  expect(entries.map(({ billingDimension }) => billingDimension)).toEqual(BILLING_DIMENSION_NAMES.toSorted());
  for (const name of BILLING_DIMENSION_NAMES) {
    const entry = entries.find(({ billingDimension }) => billingDimension === name);
    expect(entry?.resourceType).toBe(billingDimensionTable[name].resourceType);
  }
});

test('permutations of one groupBy yield the same bytes, including cursors', () => {
  for (const values of groupBys) {
    const forwards = bytes(`${OCTOBER}&limit=2&groupBy=${values.join(',')}`);
    expect(bytes(`${OCTOBER}&limit=2&groupBy=${values.toReversed().join(',')}`)).toBe(forwards);
  }
});

test.each([1, 2, 3, 7, 49, 99, 100, 5000])('pages of %d contain every group exactly once', (limit) => {
  const parameters = `${OCTOBER}&groupBy=resource_uuid,billing_dimension`;
  const entries = walk(`${parameters}&limit=${limit}`);
  expect(entries.length).toBeGreaterThan(100);
  expect(entries).toEqual(walk(parameters));
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
  const gone = new Set(data.slice(0, 3).map(({ resourceUuid }) => resourceUuid));
  const later = [
    ...sampleAccount(120, 7, NOW).slice(100),
    ...account.filter(({ uuid }) => uuid === undefined || !gone.has(uuid)),
  ];
  const rest = walk(parameters, { resources: later });
  const next = queryMetrics(`${parameters}&cursor=${meta.nextCursor}`, { resources: later });
  const expected = rest.filter(
    (entry) => !data.some((seen) => nameOf(seen) === nameOf(entry)) && keyOf(entry) > keyOf(data.at(-1)),
  );
  expect(next.data).toEqual(expected.slice(0, 10));
});

function keyOf(entry: Entry | undefined): string {
  return [entry?.workspace, entry?.resourceType, entry?.resourceName, entry?.resourceUuid ?? ''].join('\0');
}

test('a cursor is rejected for another query, for another account, and without groupBy', () => {
  const { nextCursor } = queryMetrics(`${OCTOBER}&groupBy=resource_uuid&limit=5`).meta;
  const refused = expect.objectContaining({ status: 400 });
  const cursor = `cursor=${nextCursor}`;
  expect(() => queryMetrics(`${OCTOBER}&${cursor}`)).toThrow(refused);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_name&${cursor}`)).toThrow(refused);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&resolution=weekly&${cursor}`)).toThrow(refused);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&resourceType=agent&${cursor}`)).toThrow(refused);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&${cursor}`, { accountId: 'other' })).toThrow(refused);
  expect(() => queryMetrics(`${OCTOBER}&groupBy=resource_uuid&${cursor}`, { cursorSecret: 'other' })).toThrow(refused);
  expect(queryMetrics(`${OCTOBER}&groupBy=resource_uuid&limit=7&${cursor}`).data).toHaveLength(7);
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
  expect(bytes(parameters, { now: NOW + 100 * DAY })).toBe(bytes(parameters));
});

test('a deleted resource keeps its past usage and has none from then on', () => {
  const at = Date.parse('2026-10-15T06:30:00Z');
  const resource = account.find(
    ({ type, meters }) => type === 'volume' && (meters[0]?.spans[0]?.start ?? NOW) < at - 30 * DAY,
  );
  if (resource === undefined) throw new Error('The sample has no such volume.');
  const before = queryMetrics(OCTOBER, { resources: [resource] }).data[0]?.timeseries ?? [];
  const after = queryMetrics(OCTOBER, { resources: [stopMeters(resource, at)] }).data[0]?.timeseries ?? [];
  expect(after.slice(0, 14)).toEqual(before.slice(0, 14));
  expect(after[14]?.cost).toBeGreaterThan(0);
  expect(after[14]?.cost).toBeLessThan(before[14]?.cost ?? 0);
  expect(after.slice(15).every(({ cost }) => cost === 0)).toBe(true);
});

test('usage has quiet periods', () => {
  const entries = walk(
    'startTime=2026-08-20T00:00:00Z&endTime=2026-11-15T00:00:00Z&groupBy=resource_uuid,billing_dimension',
  );
  const gaps = entries.filter(({ timeseries }) => /10+1/.test(timeseries.map(({ cost }) => Math.sign(cost)).join('')));
  expect(gaps.length).toBeGreaterThan(3);
});

test('the response bytes depend on the seed', () => {
  const again: MeteredResource[] = structuredClone([...account]);
  const parameters = `${OCTOBER}&groupBy=resource_uuid`;
  expect(bytes(parameters, { resources: again })).toBe(bytes(parameters));
  expect(bytes(parameters, { resources: again, seed: 8 })).not.toBe(bytes(parameters));
});

test('ten thousand years of monthly buckets are served, with fewer groups per page', () => {
  const ages = 'startTime=0000-01-01T00:00:00Z&endTime=9999-12-31T23:59:59Z&resolution=monthly';
  const page = queryMetrics(`${ages}&groupBy=resource_type`);
  expect(page.data[0]?.timeseries).toHaveLength(120_000);
  expect(page.data).toHaveLength(4);
  expect(page.meta.hasMore).toBe(true);
  expect(page.summary.totalCost).toBe(queryMetrics(ages).summary.totalCost);
});

test('the array of resources is frozen: a change creates a new array', () => {
  const resources = sampleAccount(3, 7, NOW);
  queryMetrics(OCTOBER, { resources });
  expect(() => resources.pop()).toThrow(TypeError);
});
