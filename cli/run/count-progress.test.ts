import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

test('a rule that waits for an operation has not failed', async () => {
  await using server = await localServer(() => ({ status: 405, body: {} }));
  const { watch, progress } = countProgress();
  const body = { metadata: { name: 'assay-test-1' }, spec: {} };
  const tried: Case = {
    rule: requirement('vpcs.create.answers-resource'),
    async try(run) {
      const exchange = await run.client.call('updateAgent', { path: { agentName: 'demo-agent' }, body });
      run.check([{ expected: '200', actual: '405', exchange }]);
    },
  };
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context } = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const [outcome] = await Promise.all(schedule([tried], watch(context)).values());
  expect(outcome?.result.reason).toContain('waits for PUT /agents/{agentName}');
  expect(progress().failing).toEqual([]);
});
