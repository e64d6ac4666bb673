import { expect, test } from 'vitest';
import type { ResourceFile, WorldFile } from '../../../spec/formats/world-file.ts';
import { addresses, callEndpoint } from '../../testing/call-endpoint.ts';
import { createClock, timestamp } from '../../time/clock.ts';
import { loadWorld } from '../../world/load.ts';
import type { World } from '../../world/world.ts';
import { scriptedWorld, START } from '../../testing/scripted-world.ts';

const HOUR = 3_600_000;

/** A world with an agent that was deployed long ago and has these triggers. */
function worldWith(...triggers: object[]): World {
  return worldOf(scriptedWorld(), triggers);
}

function worldOf(file: WorldFile, triggers: object[]): World {
  const agent: ResourceFile = {
    workspace: 'demo',
    collection: 'agents',
    name: 'clockwork',
    createdAt: '2026-11-01T00:00:00Z',
    spec: { triggers },
  };
  return loadWorld(
    { ...file, resources: [...file.resources, agent] },
    { seed: 1, clock: createClock(START, 'frozen'), addresses, brand: 'Svc' },
  );
}

const cron = (schedule: string, rest: object = {}) => ({
  id: schedule,
  type: 'cron',
  configuration: { schedule },
  ...rest,
});
const firedAt = (world: World) => world.inference.invocations.map(({ at }) => new Date(at).toISOString().slice(11, 16));

test('a schedule fires for each instant that the clock passes, in order', () => {
  const world = worldWith(cron('0 * * * *'), cron('30 8 * * *'));
  world.clock.advance(2 * HOUR);
  expect(firedAt(world)).toEqual(['08:00', '08:30', '09:00']);
  world.clock.advance(30 * 60_000);
  expect(firedAt(world).length).toBe(3);
  expect(world.inference.invocations[0]).toEqual({
    at: Date.parse('2026-11-21T08:00:00Z'),
    workspace: 'demo',
    workload: 'agents/clockwork',
    by: 'cron',
    trigger: '0 * * * *',
    inputs: '[]',
    status: 200,
  });
});

test('an invalid schedule, which a deviation stored, never fires', () => {
  const world = worldWith(cron('30 8 * * *'));
  const agent = [...(world.resources.get('demo/agents')?.values() ?? [])].find(({ name }) => name === 'clockwork');
  expect(agent).toBeDefined();
  Object.assign(agent!.spec, { triggers: [cron('0 9 *'), cron('0 8 * * *')] });
  world.clock.advance(2 * HOUR);
  expect(firedAt(world)).toEqual(['08:00']);
});

test('nothing fires for instants before the start of the world or while the clock is frozen', () => {
  const world = worldWith(cron('* * * * *'));
  world.clock.freeze();
  expect(firedAt(world)).toEqual([]);
});

test('an instant fires once, when the clock reaches it exactly', () => {
  const world = worldWith(cron('* * * * *'));
  world.clock.set(Date.parse('2026-11-21T07:01:00Z'));
  world.clock.advance(0);
  world.clock.advance(1);
  expect(firedAt(world)).toEqual(['07:01']);
});

test('the tasks of a trigger are the inputs of one call', () => {
  const tasks = [{ report: 'daily' }, { report: 'weekly' }];
  const world = worldWith({ type: 'cron', configuration: { schedule: '0 8 * * *', tasks } });
  world.clock.advance(HOUR);
  expect(world.inference.invocations.map(({ inputs }) => inputs)).toEqual([JSON.stringify(tasks)]);
});

test('disabled triggers and triggers without a schedule do not fire', () => {
  const world = worldWith(cron('* * * * *', { enabled: false }), { type: 'cron' }, { type: 'http' });
  world.clock.advance(HOUR);
  expect(firedAt(world)).toEqual([]);
});

test('firings of an agent that does not serve are listed as failed', async () => {
  const world = worldWith(cron('0 8 * * *'));
  const body = { metadata: { name: 'clockwork' }, spec: { enabled: false, triggers: [cron('0 8 * * *')] } };
  await callEndpoint(world, 'updateAgent', { path: { agentName: 'clockwork' }, body });
  world.clock.advance(HOUR);
  expect(world.inference.invocations.map(({ status }) => status)).toEqual([503]);
});

test('an agent created later fires from then on', async () => {
  const world = worldWith();
  world.clock.advance(HOUR);
  const body = { metadata: { name: 'clockwork' }, spec: { triggers: [cron('0 * * * *')] } };
  await callEndpoint(world, 'updateAgent', { path: { agentName: 'clockwork' }, body });
  world.clock.advance(HOUR);
  expect(firedAt(world)).toEqual(['09:00']);
});

test('instants fire again after the clock is set back', () => {
  const world = worldWith(cron('0 8 * * *'));
  world.clock.advance(HOUR);
  world.clock.set(START);
  world.clock.advance(HOUR);
  expect(firedAt(world)).toEqual(['08:00', '08:00']);
});

/** The calls that were metered, by reading the meter as the billing metrics do. */
async function metered(world: World, from: number, until: number): Promise<number> {
  const query = {
    startTime: timestamp(from),
    endTime: timestamp(until),
    groupBy: 'billing_dimension',
    resourceName: 'clockwork',
    billingDimension: 'agent_compute_runtime_gbs',
  };
  const { body } = await callEndpoint(world, 'getAccountMetrics', { path: { accountId: 'acc-demo' }, query });
  return body.data[0]?.summary.usage ?? 0;
}

const MONTH = 30 * 24 * HOUR;

test('a month of firings every minute is metered per call, and the newest calls are listed', async () => {
  const [every, none] = [worldWith(cron('* * * * *')), worldWith(cron('* * * * *', { enabled: false }))];
  for (const { clock } of [every, none]) clock.advance(MONTH);
  const calls = async (from: number, until: number) =>
    ((await metered(every, from, until)) - (await metered(none, from, until))) / 2;
  expect(await calls(START, START + MONTH)).toBe(43_200);
  expect(await calls(START + HOUR, START + 2 * HOUR)).toBe(60);
  const { invocations, uses } = every.inference;
  expect([invocations.length, invocations.at(-1)?.at]).toEqual([1000, START + MONTH - 30_000]);
  expect(Object.values(uses).flat().length).toBe(1);
});

test('advancing the clock by years fires all instants', () => {
  const world = worldWith(cron('* * * * *'));
  world.clock.advance(10 * 365 * 24 * HOUR);
  expect(firedAt(world).length).toBe(1000);
  expect(world.inference.invocations.at(-1)?.at).toBe(START + 10 * 365 * 24 * HOUR - 30_000);
});

test('firings that are not listed also consume scripted replies', () => {
  const replies = [{ workload: 'agents/clockwork', times: 41_000, reply: 'one' }, { reply: 'other' }];
  const world = worldOf(scriptedWorld(replies), [cron('* * * * *')]);
  world.clock.advance(MONTH);
  expect(world.inference.repliesGiven).toEqual({ 0: 41_000, 1: 2200 });
});

test.each(['from the start', 'created later'])(
  'a running clock fires without requests, for an agent %s',
  async (when) => {
    const world = worldWith(...(when === 'from the start' ? [cron('* * * * *')] : []));
    world.clock.set(Date.parse('2026-11-21T07:00:59.900Z'));
    world.clock.run();
    const body = { metadata: { name: 'newcomer' }, spec: { triggers: [cron('* * * * *')] } };
    if (when === 'created later') await callEndpoint(world, 'createAgent', { body });
    await expect.poll(() => firedAt(world)).toEqual(['07:01']);
    world.schedule.close();
    world.timers.close();
  },
);

test(
  'ten years of 500 schedules are metered in closed form, and the newest instants are recorded',
  { timeout: 5000 },
  () => {
    const schedules = Array.from(
      { length: 500 },
      (_, nth) => `${nth % 60} ${nth % 24},${(nth + 5) % 24} * * ${nth % 7}`,
    );
    const world = worldWith(...schedules.map((schedule, nth) => ({ ...cron(schedule), id: `t${nth}` })));
    world.clock.advance(10 * 365 * 24 * HOUR);
    const { invocations, uses } = world.inference;
    expect(invocations).toHaveLength(1000);
    expect(invocations.map(({ at }) => at)).toEqual(
      invocations.map(({ at }) => at).toSorted((one, other) => one - other),
    );
    expect(world.clock.now() - (invocations[0]?.at ?? 0)).toBeLessThan(20 * 24 * HOUR);
    const agent = world.resources.get('demo/agents')?.get('clockwork');
    expect(uses[agent?.uuid ?? '']).toHaveLength(500);
  },
);

test('a schedule that goes on is one use', () => {
  const world = worldWith(cron('* * * * *'));
  for (let times = 0; times < 30; times++) world.clock.advance(3 * 60_000);
  const agent = world.resources.get('demo/agents')?.get('clockwork');
  expect(world.inference.uses[agent?.uuid ?? '']).toHaveLength(1);
  expect(world.inference.invocations).toHaveLength(90);
});
