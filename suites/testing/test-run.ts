/** For tests: a run against one address, without a test runner. */
import { requirement } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import { openRun } from '../engine/open-run.ts';
import type { OpenRun } from '../engine/open-run.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import type { Run } from '../engine/run.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';

export interface TestRun {
  /** Without the path prefix. */
  address: string;
  allow?: Allow;
  ledgerFile?: string;
  exchangesFile?: string;
  rule?: RequirementId;
  target?: Partial<Target>;
  /** Default: 2. More in tests of what takes effect late, which must not depend on the speed of the machine. */
  patienceSeconds?: number;
  /** Default: test. Others in tests of what an earlier run has left. */
  runId?: string;
}

export const ADMIN = 'marked-admin-secret';

export function testTarget({ address, allow = 'read', target = {} }: TestRun): Target {
  return {
    name: 'test',
    brand: 'Svc',
    addresses: { management: `${address}/v0`, host: address, inference: address, sandbox: address },
    workspace: 'demo',
    account: 'acc-1',
    credentials: { admin: { value: ADMIN, name: 'SVC_ADMIN_TOKEN' }, scoped: {} },
    resources: { agent: 'demo-agent' },
    samples: {},
    metrics: { window: { start: '2026-10-01T00:00:00Z', end: '2026-11-01T00:00:00Z' } },
    allow,
    rate: 0,
    ...target,
  };
}

/** For mismatches in tests without a server. */
export const testExchange: Exchange = {
  surface: 'management',
  request: { method: 'GET', url: 'http://a/v0/x', headers: {} },
  response: { status: 200, headers: {}, text: '', json: undefined },
  shape: [],
  durationMs: 1,
  repeatedAfter: [],
};

export function openTestContext(settings: TestRun): OpenRun {
  const { ledgerFile, exchangesFile, patienceSeconds = 2, runId = 'test' } = settings;
  return openRun({
    target: testTarget(settings),
    seed: 1,
    runs: 50,
    concurrency: 1,
    patienceSeconds,
    runId,
    ...(ledgerFile === undefined ? {} : { ledgerFile }),
    ...(exchangesFile === undefined ? {} : { exchangesFile }),
  });
}

export function openTestRun(settings: TestRun): Run {
  return createRun(
    requirement(settings.rule ?? 'metrics.group-by.at-most-three'),
    openTestContext(settings).context,
    newTally(),
  );
}
