/** A run against a target that is broken in ways nobody planned ends in time, with a verdict for every rule, and keeps its memory. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { openRun } from '../../suites/engine/open-run.ts';
import { schedule } from '../../suites/engine/schedule.ts';
import { behaviours } from './testing/hostile-behaviours.ts';
import { hostileServer } from './testing/hostile-server.ts';
import { sampleSize } from './testing/sample-size.ts';
import { openTestTarget } from './testing/run-on-target.ts';

const rules: readonly RequirementId[] = [
  'accounts.list.gives-account-id',
  'auth.metrics.bearer-required',
  'errors.management.is-json',
  'integrations.get.provider-shape',
  'metrics.cost.always-there',
  'metrics.group-by.at-most-three',
  'metrics.pagination.every-group-once',
  'oauth.token.is-json',
  'versions.unknown.stable-date-refused',
];

/** Seconds for a complete response. */
const DEADLINE = 0.5;
/** Far more than a run needs that gives up on every request. */
const MAX_SECONDS = 120;
const MAX_BODY = 2 ** 20;
/** Of the memory of this process. */
const MAX_GROWTH = 448 * 2 ** 20;

/** They take many seconds each. */
const slow = ['429 forever', 'new pages forever', 'empty pages forever', 'a cursor of 100 kB'];
const tested = Object.keys(behaviours).filter((name) => !slow.includes(name));

test.each([...tested, ...slow.slice(0, sampleSize(0, slow.length))])(
  'a run ends against a target with %s',
  async (name) => {
    await using server = await hostileServer(behaviours[name]!);
    const target = await openTestTarget({
      addresses: { management: `${server.address}/v0` },
      account: 'acc-1',
      workspace: 'demo',
      credentials: { admin: { value: 'marked-admin-secret' } },
      client: { id: { value: 'client' }, secret: { value: 'marked-client-secret' } },
      resources: { integration: 'github' },
      allow: 'read',
    });
    server.arm();
    const [memory, started] = [process.memoryUsage().rss, performance.now()];
    const run = openRun({
      target,
      seed: 1,
      runs: 4,
      runId: 'hostile',
      patienceSeconds: 0.2,
      isQuick: true,
      deadlineSeconds: DEADLINE,
      maxBody: MAX_BODY,
    });
    const cases = await collectCases(rules);
    const outcomes = await Promise.all(schedule(cases.values(), run.context).values());
    await run.close();
    expect((performance.now() - started) / 1000).toBeLessThan(MAX_SECONDS);
    expect(outcomes.map(({ result }) => result.id).toSorted()).toEqual(rules.toSorted());
    // Nothing that the interface documents: no rule about a response passes on all of it.
    expect(outcomes.filter(({ result }) => result.verdict === 'passed').length).toBeLessThan(rules.length);
    expect(JSON.stringify(outcomes)).not.toMatch(/marked-(?:admin|client)-secret/);
    expect(process.memoryUsage().rss - memory).toBeLessThan(MAX_GROWTH);
  },
);
