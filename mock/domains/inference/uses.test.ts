import { beforeEach, expect, test } from 'vitest';
import { callEndpoint } from '../../testing/call-endpoint.ts';
import { createClock, timestamp } from '../../time/clock.ts';
import { loadWorld } from '../../world/load.ts';
import type { World } from '../../world/world.ts';
import { addresses } from '../../testing/call-endpoint.ts';
import { scriptedWorld, START } from '../../testing/scripted-world.ts';

const SECOND = 1000;
let world: World;
beforeEach(() => {
  world = loadWorld(scriptedWorld(), { seed: 1, clock: createClock(START, 'frozen'), addresses, brand: 'Svc' });
});

/** Usage of a resource in seconds after the start, `from` inclusive, `until` exclusive. */
async function usageOf(resourceName: string, billingDimension: string, from: number, until: number) {
  const query = {
    startTime: timestamp(START + from * SECOND),
    endTime: timestamp(START + until * SECOND),
    resolution: 'hourly',
    groupBy: 'billing_dimension',
    resourceName,
    billingDimension,
  };
  const { status, body } = await callEndpoint(world, 'getAccountMetrics', { path: { accountId: 'acc-demo' }, query });
  expect(status).toBe(200);
  return body.data[0]?.summary.usage ?? 0;
}

const query = (inputs: string) =>
  callEndpoint(world, 'queryAgent', { path: { workspace: 'demo', agent: 'demo-agent' }, body: { inputs } });
const queryLater = () =>
  callEndpoint(world, 'queryAgentTrigger', {
    path: { workspace: 'demo', agent: 'demo-agent-mk3', triggerPath: 'later' },
    body: { inputs: 'Hi' },
  });

/** The increase of a metric caused by an action, measured over windows in the past. */
async function more(measure: () => Promise<number>, act: () => Promise<unknown>): Promise<number> {
  world.clock.advance(60 * SECOND);
  const before = await measure();
  world.clock.set(START);
  await act();
  world.clock.set(START + 60 * SECOND);
  return (await measure()) - before;
}

test('a call of an agent is metered as a second of its memory', async () => {
  const compute = () => usageOf('demo-agent', 'agent_compute_runtime_gbs', -3600, 3600);
  expect(await more(compute, () => query('Hi'))).toBe(2);
});

test('usage falls in the second of the call, and adjacent windows add up', async () => {
  const within = (from: number, until: number) => () => usageOf('demo-agent', 'agent_compute_runtime_gbs', from, until);
  const calls = async () => {
    await query('one');
    await query('two');
  };
  expect(await more(within(0, 1), calls)).toBe(4);
  expect(await more(within(-10, 0), calls)).toBe(0);
  expect(await more(within(1, 10), calls)).toBe(0);
  const parts = [await within(-10, 0)(), await within(0, 1)(), await within(1, 10)()];
  expect(parts.reduce((sum, each) => sum + each)).toBe(await within(-10, 10)());
});

test('a request to an async trigger is counted', async () => {
  const count = () => usageOf('demo-agent-mk3', 'agent_async_requests_count', -3600, 3600);
  const three = async () => {
    for (let nth = 0; nth < 3; nth++) await queryLater();
  };
  expect(await more(count, three)).toBe(3);
});

test('tasks of a job are metered when the execution completes', async () => {
  const compute = () => usageOf('demo-job', 'job_compute_runtime_gbs', -3600, 3600);
  const execute = () =>
    callEndpoint(world, 'createJobExecution', {
      path: { workspace: 'demo', jobName: 'demo-job' },
      body: { tasks: [{}, {}, {}, {}] },
    });
  expect(await more(compute, execute)).toBe(2);
});
