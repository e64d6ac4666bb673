import { BroadcastChannel } from 'node:worker_threads';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { progressChannel } from '../../spec/run-progress.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';
import type { Case } from './run-case.ts';
import { schedule } from './schedule.ts';
import { countProgress, sendProgress } from './send-progress.ts';
import { NotTried } from '../target/violation.ts';

test('requests are counted, rules once they are tested, and those that fail', async () => {
  await using server = await localServer(() => ({ status: 204 }));
  const { context, progress } = countProgress(openTestContext({ address: server.address }).context);
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
  const outcomes = schedule(cases, context);
  expect(progress()).toEqual({ requestCount: 0, testedCount: 0, failing: [] });
  await Promise.all(outcomes.values());
  expect(progress()).toEqual({
    requestCount: 2,
    testedCount: 2,
    failing: [{ id: 'metrics.group-by.at-most-three', verdict: 'failed' }],
  });
});

test('the thread that prints it receives the progress', async () => {
  const { context } = openTestContext({ address: 'http://127.0.0.1:1' });
  const received = new BroadcastChannel(progressChannel(context.runId));
  sendProgress(context).endRound?.(requirement('metrics.group-by.at-most-three'));
  const [message] = (await once(received as never, 'message')) as [{ data: unknown }];
  received.close();
  expect(message.data).toEqual({ requestCount: 0, testedCount: 1, failing: [] });
});
