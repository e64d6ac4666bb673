import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { fieldsOf } from '../../json/fields.ts';
import { waitedSecondsFor } from '../../target/eventually.ts';
import type { Exchange } from '../../target/exchange.ts';
import { put, readAgent } from '../agents/test-agent.ts';
import { learnUpdateTiming, readUntilVisible } from './update-timing.ts';

interface Agent {
  readonly metadata: { readonly displayName?: string; readonly labels?: object };
  readonly spec: { readonly enabled?: boolean; readonly runtime?: object; readonly triggers?: readonly object[] };
}

interface Behaviour {
  /** Milliseconds until a read shows an update; of the n-th update, from 0. */
  readonly delayMs?: (update: number) => number;
  readonly status?: string;
  /** What a read shows of an agent. */
  readonly shows?: (agent: Agent, before: Agent | undefined) => object;
  readonly refuses?: (agent: Agent) => boolean;
}

function agentServer({ delayMs = () => 0, status, shows = (agent) => agent, refuses = () => false }: Behaviour) {
  const updates: { from: number; agent: Agent }[] = [];
  return localServer(({ method, body }) => {
    const now = performance.now();
    if (method === 'PUT') {
      const agent = JSON.parse(body) as Agent;
      if (refuses(agent)) return { status: 400, body: {} };
      updates.push({ from: now + delayMs(updates.length), agent });
      return { status: 200, body: agent };
    }
    const at = updates.findLastIndex(({ from }) => from <= now);
    const current = updates[at]?.agent ?? { metadata: {}, spec: {} };
    return { status: 200, body: { ...shows(current, updates[at - 1]?.agent), ...(status && { status }) } };
  });
}

const agent = { name: 'demo-agent', generation: 'mk2' } as const;
const PATIENCE_SECONDS = 12;
/** Of the three updates that show how long updates take. */
const LEARNING = 3;

/** Whether a read shows an update in the end, and how long the wait was. */
async function wait(behaviour: Behaviour, spec: Agent['spec'] = {}) {
  await using server = await agentServer(behaviour);
  const run = openTestRun({ address: server.address, allow: 'destroy', patienceSeconds: PATIENCE_SECONDS });
  const read = () => readAgent(run, agent);
  expect(await learnUpdateTiming(run, agent, read)).toBe(true);
  expect(await learnUpdateTiming(run, agent, read)).toBe(false);
  await put(run, agent, spec, { displayName: 'wanted' });
  const holds = ({ response }: Exchange): boolean => {
    const { metadata, spec: returned } = response.json as Agent;
    return metadata.displayName === 'wanted' && returned.enabled === spec.enabled;
  };
  const start = performance.now();
  const last = await readUntilVisible(run, agent, spec, read, holds);
  return { holds: holds(last), seconds: (performance.now() - start) / 1000, waitedSeconds: waitedSecondsFor(last) };
}

const otherName = ({ metadata, spec }: Agent) =>
  metadata.displayName === 'wanted' ? { metadata: { ...metadata, displayName: 'other' }, spec } : { metadata, spec };

const withoutTriggers = ({ metadata, spec: { triggers: _, ...spec } }: Agent) => ({ metadata, spec });
const withoutVariables = ({ metadata, spec: { runtime: _, ...spec } }: Agent) => ({ metadata, spec });
const withoutLabels = ({ metadata: { labels: _, ...metadata }, spec }: Agent) => ({ metadata, spec });

test.concurrent.each<[string, (agent: Agent) => Agent]>([
  ['whole', (returned) => returned],
  ['without triggers', withoutTriggers],
  ['without variables', withoutVariables],
  ['without labels', withoutLabels],
])('a wrong read stays wrong if three updates were each visible in the next read, %s', async (_, shown) => {
  const { holds, seconds } = await wait({ shows: (returned) => otherName(shown(returned)) });
  expect(holds).toBe(false);
  expect(seconds).toBeLessThan(PATIENCE_SECONDS - 2);
});

test('a target that refuses triggers gets updates without them', async () => {
  const { holds, seconds } = await wait({ shows: otherName, refuses: ({ spec }) => spec.triggers !== undefined });
  expect(holds).toBe(false);
  expect(seconds).toBeLessThan(PATIENCE_SECONDS - 2);
});

test.concurrent.each<[string, Behaviour, Agent['spec']?]>([
  ['every update is late', { delayMs: () => 3000 }],
  ['one of the three updates was late', { delayMs: (update) => (update === 0 ? 0 : 3000) }],
  [
    'the spec is visible later than the metadata',
    {
      delayMs: (update) => (update < LEARNING ? 0 : 3000),
      shows: ({ metadata, spec }, before) => ({ metadata, spec: before?.spec ?? spec }),
    },
  ],
  ['a deployment goes on', { delayMs: (update) => (update < LEARNING ? 0 : 3000), status: 'DEPLOYING' }],
])('waits for a late update if %s', async (_, behaviour) => {
  expect(await wait(behaviour)).toMatchObject({ holds: true });
});

test('the whole wait for an update that never comes is known', async () => {
  const { holds, waitedSeconds } = await wait({ shows: otherName, delayMs: () => 3000 });
  expect(holds).toBe(false);
  expect(waitedSeconds).toBeGreaterThanOrEqual(PATIENCE_SECONDS);
});

test('waits for `enabled`, which may be late although the rest is not', async () => {
  const endMs = performance.now() + 4000;
  const shows = ({ metadata, spec }: Agent) => ({
    metadata,
    spec: spec.enabled === false && performance.now() < endMs ? { ...spec, enabled: true } : spec,
  });
  expect(await wait({ shows }, { enabled: false })).toMatchObject({ holds: true });
});

test('after a late update, nothing counts as immediate any more', async () => {
  await using server = await agentServer({
    delayMs: (update) => (update === LEARNING ? 700 : update > LEARNING ? 3500 : 0),
  });
  const run = openTestRun({ address: server.address, allow: 'destroy', patienceSeconds: PATIENCE_SECONDS });
  const read = () => readAgent(run, agent);
  await learnUpdateTiming(run, agent, read);
  for (const displayName of ['first', 'second']) {
    await put(run, agent, {}, { displayName });
    const holds = ({ response }: Exchange) =>
      fieldsOf((response.json as Agent).metadata)?.['displayName'] === displayName;
    expect(holds(await readUntilVisible(run, agent, {}, read, holds))).toBe(true);
  }
});
