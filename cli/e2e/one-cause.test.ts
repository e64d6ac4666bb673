/** Deployments with one defect: only the rules whose sentences it breaks fail, and the others are not tried, or tried without it. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { requirements, type MustId, type RequirementId } from '../../spec/requirements/index.ts';
import { changedMetrics, changingEntries, refusing, withCostAsText } from './testing/changed-metrics.ts';
import type { Change } from './testing/changed-metrics.ts';
import { runOnTarget } from './testing/run-on-target.ts';

interface OneCause {
  readonly change: Change;
  readonly breaks: readonly MustId[];
  /** What the reason of every rule that is not tried says. */
  readonly reason: RegExp;
  /** How many rules are tried nevertheless, at least. */
  readonly passed: number;
}

const byCause: Readonly<Record<string, OneCause>> = {
  'a limit above 100 is refused': {
    change: refusing((query) => Number(query.get('limit')) > 100),
    breaks: ['metrics.pagination.limit-clamped'],
    reason: /with limit=1000: it got 400, which breaks metrics\.pagination\.limit-clamped/,
    passed: 60,
  },
  ...Object.fromEntries(
    [1, 100].map((limit) => [
      `a limit of ${limit} is refused`,
      {
        change: refusing((query) => query.get('limit') === String(limit)),
        breaks: ['metrics.pagination.every-group-once'],
        reason: new RegExp(`with limit=${limit}: it got 400, which breaks metrics\\.pagination\\.every-group-once`),
        passed: 50,
      },
    ]),
  ),
  ...Object.fromEntries(
    ['billingDimension', 'resourceType', 'resourceName', 'resourceUuid'].map((name) => [
      `a filter by ${name} is refused`,
      {
        change: refusing((query) => query.has(name)),
        breaks: ['metrics.filters.filter-is-the-slice'],
        reason: new RegExp(`with ${name}=[^ ]+: it got 400, which breaks metrics\\.filters\\.filter-is-the-slice`),
        passed: 50,
      },
    ]),
  ),
  'resolution=weekly is refused': {
    change: refusing((query) => query.get('resolution') === 'weekly'),
    breaks: ['metrics.resolution.explicit-echoed'],
    reason: /with resolution=weekly: it got 400, which breaks metrics\.resolution\.explicit-echoed/,
    passed: 50,
  },
  'what began more than 400 days ago is refused': {
    change: refusing((query) => Date.parse(query.get('startTime') ?? '') < Date.now() - 400 * 86_400_000),
    breaks: ['metrics.resolution.monthly-uncapped'],
    reason: /with startTime=\d{4}-.*: it got 400, (which breaks metrics\.resolution\.monthly-uncapped|and no rule)/,
    passed: 40,
  },
  'the cost of an entry is text': {
    change: changingEntries(withCostAsText),
    breaks: ['metrics.cost.always-there'],
    reason: /is "[\d.]+", which breaks metrics\.cost\.always-there/,
    passed: 40,
  },
  'an entry has no timeseries': {
    change: changingEntries(({ timeseries: _, ...entry }) => entry),
    breaks: ['metrics.buckets.one-per-step-zeros-included'],
    reason: /timeseries, an array, .*is absent, which breaks metrics\.buckets\.one-per-step-zeros-included/,
    passed: 2,
  },
  'every query gets 500': {
    change: refusing(() => true, 500),
    breaks: ['metrics.answer.shape-and-echo'],
    reason: /it got 500, which breaks metrics\.answer\.shape-and-echo/,
    passed: 2,
  },
  'every body is HTML': {
    change: (_, { status }) => (status === 200 ? { status, body: '<html>' } : undefined),
    breaks: ['metrics.answer.shape-and-echo'],
    reason: /the body, a JSON object, .*is "<html>", which breaks metrics\.answer\.shape-and-echo/,
    passed: 2,
  },
};

const rules: readonly RequirementId[] = requirements
  .filter(({ id, level }) => id.startsWith('metrics.') && level === 'must')
  .map(({ id }) => id);

test.each(Object.entries(byCause))('%s', async (_, { change, breaks, reason, passed }) => {
  await using mock = await startMock();
  await using changed = await changedMetrics(mock.target, change);
  const outcomes = await runOnTarget(changed.target, { selected: rules, patienceSeconds: 3 });
  const results = outcomes.map(({ result }) => result);
  const ofVerdict = (verdict: string) => results.filter((each) => each.verdict === verdict);
  expect(results.filter(({ verdict }) => !['passed', 'not-tried'].includes(verdict)).map(({ id }) => id)).toEqual(
    breaks,
  );
  const otherReasons = ofVerdict('not-tried').filter((each) => !reason.test(each.reason ?? ''));
  expect(otherReasons.map((each) => [each.id, each.reason])).toEqual([]);
  expect(ofVerdict('passed').length).toBeGreaterThanOrEqual(passed);
});

const lengthOf = (query: URLSearchParams): number =>
  Date.parse(query.get('endTime') ?? '') - Date.parse(query.get('startTime') ?? '');

const OF_TYPES = [
  'metrics.enums.resource-types-agree-with-data',
  'metrics.enums.resource-types-follow-window',
] as const;

/** Rules about lists of resource types on a deployment that refuses some windows, also of metrics unless `isOnlyList`. */
async function typesOutcomes(isRefused: (query: URLSearchParams) => boolean, isOnlyList = false) {
  await using mock = await startMock();
  const paths = ['/enums/resource-types', ...(isOnlyList ? [] : ['/metrics'])];
  await using changed = await changedMetrics(mock.target, refusing(isRefused), paths);
  const outcomes = await runOnTarget(changed.target, { selected: OF_TYPES, patienceSeconds: 3 });
  return outcomes.map(({ result }) => result);
}

test.each([true, false])(
  'a list of resource types of old windows may be refused; only that: %s',
  async (isOnlyList) => {
    const isOld = (query: URLSearchParams): boolean =>
      Date.parse(query.get('startTime') ?? '') < Date.now() - 400 * 86_400_000;
    const results = await typesOutcomes(isOld, isOnlyList);
    expect(results.map(({ id, verdict }) => [id, verdict])).toEqual(OF_TYPES.map((id) => [id, 'passed']));
    expect(results[1]?.reason).toMatch(/resource-types with a window that began more than a year ago: it got 400/);
  },
);

test('a list of resource types of long windows may not be refused, and nothing is said about its values', async () => {
  const [, ofWindows] = await typesOutcomes((query) => lengthOf(query) > 300 * 86_400_000, true);
  expect(ofWindows?.verdict).toBe('failed');
  expect(ofWindows?.counterexample).toMatchObject({ expected: 'status 200', actual: 'status 400' });
});

test('a refusal that only some queries with the parameter get is no other cause', async () => {
  await using mock = await startMock();
  const isOfLongWeeks = (query: URLSearchParams): boolean =>
    query.get('resolution') === 'weekly' && lengthOf(query) > 300 * 86_400_000;
  await using changed = await changedMetrics(mock.target, refusing(isOfLongWeeks));
  const outcomes = await runOnTarget(changed.target, { selected: ['metrics.resolution.weekly-cap'] });
  expect(outcomes.map(({ result }) => result.verdict)).toEqual(['failed']);
});
