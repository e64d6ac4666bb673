/** metrics.sums.total-is-sum-of-groups on accounts with few groups. */
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'metrics.sums.total-is-sum-of-groups';
const COST = 1.25;

/** The verdict on an account with these resources, or why there is none. `excess`: what totalCost has too much. */
async function verdictOf(names: readonly string[], excess = 0): Promise<string> {
  const tried = (await collectCases([RULE])).get(RULE)!;
  await using server = await localServer(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (!pathname.endsWith('/metrics')) return { status: 404, body: {} };
    const [startTime, endTime] = ['startTime', 'endTime'].map((name) => searchParams.get(name));
    const groups = searchParams.has('groupBy') ? names : names.slice(0, 1);
    const cost = (COST * names.length) / groups.length;
    const data = groups.map((resourceName) => ({
      ...(searchParams.has('groupBy') && { resourceName, resourceType: 'agent', workspace: 'w' }),
      summary: { cost },
      timeseries: [{ timestamp: startTime, cost }],
    }));
    const summary = { totalCost: COST * names.length + excess };
    return {
      body: { startTime, endTime, resolution: 'daily', summary, data, meta: { hasMore: false, nextCursor: '' } },
    };
  });
  const run = openTestContext({ address: server.address });
  const { result } = await runCase(tried, run.context);
  await run.close();
  return result.verdict === 'not-tried' ? `not tried: ${result.reason}` : result.verdict;
}

test.concurrent.each<[string, readonly string[], number, string]>([
  ['is the cost of one group', ['a'], 0, 'not tried: a grouping with more than one group'],
  ['is not the cost of one group', ['a'], 1, 'failed'],
  ['is the sum of two groups', ['a', 'b'], 0, 'passed'],
  ['is not the sum of two groups', ['a', 'b'], 1, 'failed'],
])('a total that %s', async (_, names, excess, verdict) => {
  expect(await verdictOf(names, excess)).toBe(verdict);
});
