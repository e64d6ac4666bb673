import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, VerificationError, type RunningMock } from '../../start-mock.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ now: Date.parse('2026-11-01T00:00:00Z'), clock: 'frozen' });
});
beforeEach(() => mock.reset());
afterAll(() => mock.close());

const read = (name = 'demo-agent', { addresses, target }: Pick<RunningMock, 'addresses' | 'target'> = mock) =>
  fetch(`${addresses.management}/agents/${name}`, {
    headers: { authorization: `Bearer ${target.credentials.apiKey.value}` },
  });

test('the clock is set, advanced, run and frozen', async () => {
  expect(await mock.clock.advance('1h')).toEqual({ now: '2026-11-01T01:00:00.000Z', mode: 'frozen' });
  expect(await mock.clock.advance(500)).toMatchObject({ now: '2026-11-01T01:00:00.500Z' });
  expect(await mock.clock.set(new Date('2027-01-01T00:00:00Z'))).toMatchObject({ now: '2027-01-01T00:00:00.000Z' });
  expect(await mock.clock.run()).toMatchObject({ mode: 'running' });
  expect(await mock.clock.freeze()).toMatchObject({ mode: 'frozen' });
  expect(await mock.clock.get()).toMatchObject({ mode: 'frozen' });
  await expect(mock.clock.advance('soon')).rejects.toThrow(
    /^Invalid value "soon" for the duration: expected a duration such as 500ms.*, or a whole number of milliseconds/,
  );
  await expect(mock.clock.advance(-5)).rejects.toThrow(/^Invalid value -5 for the duration: expected /);
  await expect(mock.responses.set([{ sequence: [] }])).rejects.toThrow(
    'responses[0].sequence: expected a non-empty array, found an empty array.',
  );
});

test('faults and scripted responses are set, read and cleared', async () => {
  await mock.faults.set([{ operation: 'getAgent', status: 503, times: 1 }]);
  await mock.responses.set([
    { match: { operation: 'getAgent' }, sequence: [{ status: 429 }], afterwards: 'operation' },
  ]);
  expect([(await read()).status, (await read()).status, (await read()).status]).toEqual([503, 429, 200]);
  expect((await mock.faults.get()).counts).toEqual([{ matched: 3, fired: 1 }]);
  expect((await mock.responses.get()).counts).toEqual([{ used: 1 }]);
  expect([(await mock.faults.clear()).rules, (await mock.responses.clear()).responses]).toEqual([[], []]);
  await expect(mock.faults.set([{ probability: 1 }])).rejects.toThrow(
    'rules[0] is {"probability":1}; allowed: a rule that does something',
  );
});

test('requests are listed and verified', async () => {
  await read();
  await read('none');
  for (const status of ['4xx', 404])
    expect(await mock.requests({ status })).toEqual([expect.objectContaining({ path: '/v0/agents/none' })]);
  await mock.verify({ requests: [{ operation: 'getAgent', times: 2 }] });
  await expect(mock.verify({ requests: [{ operation: 'updateAgent' }] })).rejects.toEqual(
    new VerificationError(
      ['requests[0] (updateAgent): 0 received; expected at least 1.'],
      ['GET /v0/agents/demo-agent 200', 'GET /v0/agents/none 404'],
    ),
  );
  expect(await mock.deleteRequests({ status: '404' })).toBe(1);
  const waiting = mock.requests({ path: '/v0/agents/later', wait: 30 });
  await read('later');
  expect(await waiting).toHaveLength(1);
});

test('calls of agents and their callbacks are listed', async () => {
  await fetch(`${mock.addresses.inference}/demo/agents/demo-agent`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mock.target.credentials.apiKey.value}`, 'content-type': 'application/json' },
    body: '{"inputs":"hello"}',
  });
  expect(await mock.invocations({ workload: 'agents/demo-agent' })).toEqual([
    expect.objectContaining({ inputs: 'hello', status: 200 }),
  ]);
  expect(await mock.outbox()).toEqual({ count: 0, callbacks: [], messages: [] });
});

test('a deployment is ended, and a credential issued', async () => {
  expect(await mock.endDeployment('agents/demo-agent', { status: 'FAILED' })).toMatchObject({ status: 'FAILED' });
  await expect(mock.endDeployment('agents/none', { status: 'FAILED' })).rejects.toThrow('"none" does not exist');
  expect(await mock.newToken({ scopes: ['agents:get'] })).toMatchObject({ scopes: ['agents:get'] });
});

test('a snapshot is a copy, which restores the world', async () => {
  const snapshot = await mock.snapshot.get();
  await mock.endDeployment('agents/demo-agent', { status: 'FAILED' });
  await mock.snapshot.set(snapshot);
  expect(await (await read()).json()).toMatchObject({ status: 'DEPLOYED' });
});

test('another world has its own state and controls', async () => {
  await using other = await mock.newWorld({ id: 'other', seed: 7 });
  await other.faults.set([{ status: 500 }]);
  expect([(await read('demo-agent', other)).status, (await read()).status]).toEqual([500, 200]);
  expect(await other.requests()).toHaveLength(1);
  await expect(mock.newWorld({ id: 'other' })).rejects.toThrow('World "other" exists already');
});

test('health, resources and worlds are read', async () => {
  expect(await mock.health()).toEqual({ status: 'ok', now: '2026-11-01T00:00:00.000Z', seed: 1 });
  const [agent, ...others] = await mock.resources({ home: 'demo', collection: 'agents', name: 'demo-agent' });
  expect(others).toEqual([]);
  expect(agent).toMatchObject({ kind: 'Agent', status: 'DEPLOYED', resource: { metadata: { name: 'demo-agent' } } });
  expect((await mock.resources({ collection: 'agents' })).every(({ kind }) => kind === 'Agent')).toBe(true);
  await expect(mock.resources({ collection: 'agent' })).rejects.toThrow(/"agent"; allowed: agents, functions/);
  await using other = await mock.newWorld({ id: 'other', seed: 4 });
  expect((await mock.worlds()).map(({ id, seed }) => [id, seed])).toEqual([
    [null, 1],
    ['other', 4],
  ]);
  expect(await other.health()).toMatchObject({ seed: 4 });
});

test('constants are accepted', async () => {
  const scripts = [
    {
      match: { operation: 'getAgent', headers: { 'x-case': '1' } },
      sequence: [{ status: 429, body: { errors: ['a'] } }],
    },
  ] as const;
  const faults = [{ operation: 'updateAgent', body: { spec: { volumes: [{ name: 'data' }] } }, status: 503 }] as const;
  expect((await mock.responses.set(scripts)).responses).toEqual(scripts);
  expect((await mock.faults.set(faults)).rules).toEqual(faults);
  const token = { scopes: ['agents:get'], kind: 'api-key' } as const;
  expect((await mock.newToken(token)).scopes).toEqual(token.scopes);
  const verification = { requests: [{ operation: 'updateAgent', body: { labels: ['a'] }, times: 0 }] } as const;
  await expect(mock.verify(verification)).resolves.toBeUndefined();
});
