/**
 * Compares two responses that must be equal: figures within the tolerance, cursors ignored. Groups are matched by
 * their names, since their order is not documented.
 */
import type { AccountMetricsResponse } from '../../spec/generated/types.ts';
import { instantOf } from '../expect/instant.ts';
import type { Difference, Mismatch } from '../target/violation.ts';
import { keyOf } from './entries.ts';
import type { Field } from './entries.ts';
import { formatValue } from './entry-mismatches.ts';
import { figureMismatches, cost, figuresBy, same } from './figures.ts';
import type { Page } from './pages.ts';

type Metrics = AccountMetricsResponse;

/** Two responses with the same groups. `of`: the fields that identify entries. */
export function sameResponse(expected: Metrics, page: Page, of: readonly Field[]): Mismatch[] {
  const { metrics } = page;
  const totals = [expected.summary.totalCost, metrics.summary.totalCost] as const;
  return [
    ...sameMetadata(expected, page),
    ...(same(cost(totals[0]), cost(totals[1])) ? [] : differ('totalCost', ...totals, page)),
    ...sameEntries(expected, page, of),
  ];
}

/** Two first pages. If there are more pages, the choice and number of groups on the first one is not documented. */
export function sameFirstPage(expected: Metrics, page: Page, of: readonly Field[]): Mismatch[] {
  if (!expected.meta.hasMore) return sameResponse(expected, page, of);
  const { exchange, metrics } = page;
  const common = { exchange, metrics: commonGroups(metrics, expected, of) };
  return [...sameMetadata(expected, page), ...sameFigures(commonGroups(expected, metrics, of), common, of)];
}

/** Two walks of the same query: the same groups with the same figures, on any page. */
export function sameGroups(expected: readonly Page[], pages: readonly Page[], of: readonly Field[]): Mismatch[] {
  const [expectedMetrics, found] = [expected, pages].map((walked) => ({
    ...walked[0]!.metrics,
    data: walked.flatMap(({ metrics }) => metrics.data),
  }));
  return sameEntries(expectedMetrics!, { exchange: pages[0]!.exchange, metrics: found! }, of);
}

/** The response without its groups and their sum. */
function sameMetadata(expected: Metrics, page: Page): Mismatch[] {
  const { metrics } = page;
  return [
    ...differ('resolution', expected.resolution, metrics.resolution, page),
    ...differ('startTime', instantOf(expected.startTime), instantOf(metrics.startTime), page),
    ...differ('endTime', instantOf(expected.endTime), instantOf(metrics.endTime), page),
    ...differ('hasMore', expected.meta.hasMore, metrics.meta.hasMore, page),
  ];
}

const differ = (name: string, expected: unknown, found: unknown, { exchange }: Page): Mismatch[] =>
  expected === found
    ? []
    : [{ expected: `${name}: ${formatValue(expected)}`, actual: `${name}: ${formatValue(found)}`, exchange }];

const keysOf = ({ data }: Metrics, of: readonly Field[]): string[] => data.map((entry) => keyOf(entry, of));

/** The first response, reduced to the groups that the second one also has. */
function commonGroups(metrics: Metrics, other: Metrics, of: readonly Field[]): Metrics {
  const known = new Set(keysOf(other, of));
  return { ...metrics, data: metrics.data.filter((entry) => known.has(keyOf(entry, of))) };
}

function sameFigures(expected: Metrics, { exchange, metrics }: Page, of: readonly Field[]): Mismatch[] {
  const [expectedFigures, found] = [figuresBy(of, expected.data), figuresBy(of, metrics.data)];
  return figureMismatches('the same query', expectedFigures, found, { exchange, relation: 'same' });
}

function sameEntries(expected: Metrics, page: Page, of: readonly Field[]): Mismatch[] {
  const [expectedKeys, found] = [keysOf(expected, of), keysOf(page.metrics, of)];
  const groupDifferences = [
    ...groupMismatches(expectedKeys, found, 'a group'),
    ...groupMismatches(found, expectedKeys, 'no group'),
  ];
  if (groupDifferences.length === 0) return sameFigures(expected, page, of);
  return groupDifferences.slice(0, 5).map((mismatch) => ({ ...mismatch, exchange: page.exchange }));
}

function groupMismatches(some: readonly string[], others: readonly string[], name: string): Difference[] {
  const known = new Set(others);
  return some
    .filter((key) => !known.has(key))
    .map((key) => ({ expected: `${name} ${key}`, actual: name === 'a group' ? 'none' : 'one' }));
}
