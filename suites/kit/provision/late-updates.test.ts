import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { NotTried } from '../../target/violation.ts';
import { put, restore } from '../agents/test-agent.ts';
import { queryableAgent, queryAgent } from './agents.ts';

const DEPLOYMENT_MS = 400;

/** Each update takes effect later; until then, the agent serves as after the one before. */
function slowDeployments(milliseconds = DEPLOYMENT_MS) {
  const deployments = [{ from: 0, enabled: true }];
  return localServer(({ method, body }) => {
    const now = performance.now();
    if (method !== 'PUT') return { status: deployments.findLast(({ from }) => from <= now)?.enabled ? 200 : 404 };
    const { spec } = JSON.parse(body) as { spec: { enabled: boolean } };
    deployments.push({ from: now + milliseconds, enabled: spec.enabled });
    return { status: 200, body: { spec } };
  });
}

test('a query does not see an update of an earlier case that takes effect late', async () => {
  await using server = await slowDeployments();
  const run = openTestRun({
    address: server.address,
    allow: 'destroy',
    rule: 'inference.agents.answers',
    patienceSeconds: 60,
  });
  const agent = { name: 'demo-agent', generation: 'mk2' } as const;
  await put(run, agent, { enabled: false });
  await wait(100);
  await restore(run, agent);
  const name = await queryableAgent(run);
  const end = performance.now() + 2 * DEPLOYMENT_MS;
  const statuses = new Set<number>();
  while (performance.now() < end) statuses.add((await queryAgent(run, name)).response.status);
  expect([...statuses]).toEqual([200]);
});

test('an agent that no case disabled is not updated', async () => {
  await using server = await slowDeployments();
  const run = openTestRun({ address: server.address, allow: 'destroy', rule: 'inference.agents.answers' });
  await put(run, { name: 'demo-agent', generation: 'mk2' }, { enabled: true });
  expect(await queryableAgent(run)).toBe('demo-agent');
  expect(server.received.map(({ method }) => method)).toEqual(['PUT']);
});

test('an agent whose updates take longer than the patience of the run is not queried', async () => {
  await using server = await slowDeployments(60_000);
  const run = openTestRun({ address: server.address, allow: 'destroy', rule: 'inference.agents.answers' });
  const agent = { name: 'demo-agent', generation: 'mk2' } as const;
  await put(run, agent, { enabled: false });
  await restore(run, agent);
  await expect(queryableAgent(run)).rejects.toThrow('an agent whose updates take effect within --patience');
  const { length } = server.received;
  await put(run, agent, { enabled: false });
  await expect(queryableAgent(run)).rejects.toThrow(NotTried);
  expect(server.received.slice(length).map(({ method }) => method)).toEqual(['PUT']);
});

test('queries at the same time wait for the same updates', async () => {
  await using server = await slowDeployments();
  const run = openTestRun({
    address: server.address,
    allow: 'destroy',
    rule: 'inference.agents.answers',
    patienceSeconds: 60,
  });
  const agent = { name: 'demo-agent', generation: 'mk2' } as const;
  await put(run, agent, { enabled: false });
  await restore(run, agent);
  const names = await Promise.all([queryableAgent(run), queryableAgent(run)]);
  expect(names).toEqual(['demo-agent', 'demo-agent']);
  expect(server.received.filter(({ method }) => method === 'PUT')).toHaveLength(4);
  expect((await queryAgent(run, 'demo-agent')).response.status).toBe(200);
});
