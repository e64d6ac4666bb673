/** Queries the metrics of a sample account, for tests of their sums, groups and pages. */
import * as fc from 'fast-check';
import { accountMetrics, type MetricsRequest } from '../metrics/account-metrics.ts';
import { GROUP_BY_VALUES } from '../metrics/groups.ts';
import { sampleAccount } from './sample-account.ts';

interface Item {
  timestamp: string;
  cost: number;
  usage?: number;
}
export interface Entry {
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

export const DAY = 86_400_000;
export const NOW = Date.parse('2026-11-15T12:34:56Z');
export const account = sampleAccount(100, 7, NOW);
export const OCTOBER = 'startTime=2026-10-01T00:00:00Z&endTime=2026-11-01T00:00:00Z';

/** The serialized metrics of the sample account. */
export function metricsBytes(parameters: string, overrides: Partial<MetricsRequest> = {}): string {
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

/** The parsed metrics of the sample account. */
export function queryMetrics(parameters: string, overrides: Partial<MetricsRequest> = {}): MetricsResponse {
  return JSON.parse(metricsBytes(parameters, overrides)) as MetricsResponse;
}

/** The entries of all pages. */
export function allEntries(parameters: string, overrides: Partial<MetricsRequest> = {}): Entry[] {
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
export const micro = (cost: number) => Math.round(cost * 1e6);
export const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
export const nameOf = ({ summary: _, timeseries: __, ...name }: Entry) => JSON.stringify(name);
export const windowOf = (start: number, end: number) =>
  `startTime=${new Date(start).toISOString()}&endTime=${new Date(end).toISOString()}`;

function subsets(values: readonly string[]): string[][] {
  return values.reduce<string[][]>((sets, value) => [...sets, ...sets.map((set) => [...set, value])], [[]]);
}
export const groupBys = subsets(GROUP_BY_VALUES).filter(({ length }) => length > 0 && length <= 3);

export const hour = fc
  .integer({ min: 0, max: 500 * 24 })
  .map((hours) => NOW - (NOW % DAY) - 450 * DAY + hours * 3_600_000);
export const groupBy = fc.constantFrom(...groupBys.map((values) => values.join(',')));
