import { expect, test } from 'vitest';
import { scriptedWorld } from '../../testing/scripted-world.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callControl, changeMock } from '../../testing/control-client.ts';

const world = scriptedWorld([
  { workload: 'agents/demo-agent', reply: 'late', delayMs: 3_600_000 },
  { workload: 'models/demo-model', reply: 'one two three', paceMs: 3_600_000 },
]);

function post(mock: RunningMock, path: string, body: object, host = mock.addresses.host): Promise<Response> {
  const authorization = `Bearer ${mock.target.credentials.admin.value}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(host + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

const messages = [{ role: 'user', content: 'Hello' }];
const askAgent = (mock: RunningMock) => post(mock, '/demo/agents/demo-agent', { inputs: 'Hello' });
const stream = (mock: RunningMock) =>
  post(mock, '/demo/models/demo-model/chat/completions', { stream: true, messages });

const ends: readonly (readonly [string, (mock: RunningMock) => Promise<unknown>])[] = [
  ['a reset', ({ addresses: { host } }) => changeMock(host, 'POST', '/reset')],
  [
    'a restored snapshot',
    async ({ addresses: { host } }) =>
      callControl(host, 'PUT', '/snapshot', (await callControl(host, 'GET', '/snapshot')).body),
  ],
];

test.each(ends)('%s ends the responses that wait for the clock, with an error message', async (_, end) => {
  await using mock = await startMock({ world, clock: 'frozen' });
  const pending = askAgent(mock);
  await expect.poll(() => mock.world.timers.count()).toBe(1);
  await end(mock);
  const response = await pending;
  expect([response.status, await response.json()]).toEqual([503, expect.objectContaining({ error: 'world_gone' })]);
});

test.each(ends)('%s aborts the streams that wait for the clock', async (_, end) => {
  await using mock = await startMock({ world, clock: 'frozen' });
  const response = await stream(mock);
  await expect.poll(() => mock.world.timers.count()).toBe(1);
  await end(mock);
  await expect(response.text()).rejects.toThrow('terminated');
});

test('deleting a world ends its pending requests', async () => {
  await using mock = await startMock({ world, clock: 'frozen', seed: 1 });
  const { host } = mock.addresses;
  const made = (await callControl(host, 'POST', '/worlds', { id: 'other' })).body as { target: RunningMock['target'] };
  const other = { ...mock, target: made.target, addresses: { ...mock.addresses, host: `${host}/_mock/w/other` } };
  const [response, pending] = [await stream(other), askAgent(other)];
  await expect
    .poll(async () => (await callControl(`${host}/_mock/w/other`, 'GET', '/requests')).body)
    .toMatchObject({
      received: 2,
    });
  await changeMock(host, 'DELETE', '/worlds/other');
  await expect(response.text()).rejects.toThrow('terminated');
  expect((await pending).status).toBe(503);
});

test('closing the mock ends all pending requests', async () => {
  const mock = await startMock({ world, clock: 'frozen' });
  const pending = askAgent(mock).then(
    ({ status }) => status,
    () => 'cut off',
  );
  await expect.poll(() => mock.world.timers.count()).toBe(1);
  await mock.close();
  expect([503, 'cut off']).toContain(await pending);
});
