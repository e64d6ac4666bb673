/** metrics.sums.* on accounts with few groups and buckets. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { adviceFor } from '../../spec/requirements/need-advice.ts';
import { billingDimensions } from '../../spec/values.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const COST = 1.25;
const USAGE = 2;

/** The verdict on an account with these resources, or why there is none. `excess`: what totalCost has too much. */
async function verdictOf(rule: RequirementId, names: readonly string[], excess = 0): Promise<string> {
  const tried = (await collectCases([rule])).get(rule)!;
  await using server = await localServer(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (!pathname.endsWith('/metrics')) return { status: 404, body: {} };
    const [startTime, endTime] = ['startTime', 'endTime'].map((name) => searchParams.get(name));
    const groups = searchParams.has('groupBy') ? names : names.slice(0, 1);
    const cost = (COST * names.length) / groups.length;
    const ofDimension = searchParams.get('groupBy')?.includes('billing_dimension') === true;
    const figures = { cost, ...(ofDimension && { usage: USAGE }) };
    const data = groups.map((resourceName) => ({
      ...(searchParams.has('groupBy') && { resourceName, resourceType: 'agent', workspace: 'w' }),
      ...(ofDimension && { billingDimension: billingDimensions[0] }),
      summary: figures,
      timeseries: [{ timestamp: startTime, ...figures }],
    }));
    const totalUsage = USAGE * names.length;
    const summary = { totalCost: COST * names.length + excess, ...(ofDimension && { totalUsage }) };
    return {
      body: { startTime, endTime, resolution: 'daily', summary, data, meta: { hasMore: false, nextCursor: '' } },
    };
  });
  const run = openTestContext({ address: server.address });
  const { result } = await runCase(tried, run.context);
  await run.close();
  if (result.verdict !== 'not-tried') return result.verdict;
  expect(adviceFor(result.reason!)).toContain('metrics.window in the target file');
  return `not tried: ${result.reason}`;
}

test.concurrent.each<[string, readonly string[], number, string]>([
  ['is the cost of one group', ['a'], 0, 'not tried: a grouping with more than one group'],
  ['is not the cost of one group', ['a'], 1, 'failed'],
  ['is the sum of two groups', ['a', 'b'], 0, 'passed'],
  ['is not the sum of two groups', ['a', 'b'], 1, 'failed'],
])('a total that %s', async (_, names, excess, verdict) => {
  expect(await verdictOf('metrics.sums.total-is-sum-of-groups', names, excess)).toBe(verdict);
});

test.concurrent.each<[RequirementId, readonly string[], string]>([
  ['metrics.sums.group-is-sum-of-buckets', ['a', 'b'], 'not tried: a group with more than one bucket'],
  ['metrics.sums.total-independent-of-group-by', ['a'], 'not tried: a grouping with more than one group'],
  ['metrics.sums.total-independent-of-group-by', ['a', 'b'], 'passed'],
  ['metrics.filters.filter-is-the-slice', ['a'], 'not tried: a group with cost and its name, beside others'],
  ['metrics.sums.total-usage', ['a'], 'not tried: a single page with totalUsage and the usage of more than one group'],
  ['metrics.sums.total-usage', ['a', 'b'], 'passed'],
  ['metrics.sums.coarser-is-sum-of-finer', ['a'], 'not tried: a grouping that divides groups of another'],
])('%s with groups %j of one bucket: %s', async (rule, names, verdict) => {
  expect(await verdictOf(rule, names)).toBe(verdict);
});
