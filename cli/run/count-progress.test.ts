import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { openTestContext } from '../../suites/testing/test-run.ts';
import type { Case } from '../../suites/engine/run-case.ts';
import { schedule } from '../../suites/engine/schedule.ts';
import { countProgress } from './count-progress.ts';
import { NotTried } from '../../suites/target/violation.ts';

test('requests are counted, rules once they are tested, and those that fail', async () => {
  await using server = await localServer(() => ({ status: 204 }));
  const { watch, progress } = countProgress();
  const tries: Partial<Record<RequirementId, Case['try']>> = {
    'metrics.group-by.at-most-three': async (run) => {
      const exchange = await run.client.call('listPolicies');
      run.check([{ expected: '400', actual: '204', exchange }]);
    },
    'metrics.cost.always-there': async (run) => {
      await run.client.call('listPolicies');
      run.check([]);
    },
    'metrics.usage.absent-otherwise': async () => {
      throw new NotTried('a list');
    },
  };
  const cases = Object.entries(tries).map(([id, each]) => ({ rule: requirement(id as RequirementId), try: each }));
  const outcomes = schedule(cases, watch(openTestContext({ address: server.address }).context));
  expect(progress()).toEqual({ requestCount: 0, testedCount: 0, failing: [] });
  await Promise.all(outcomes.values());
  expect(progress()).toEqual({
    requestCount: 2,
    testedCount: 2,
    failing: [{ id: 'metrics.group-by.at-most-three', verdict: 'failed' }],
  });
});
