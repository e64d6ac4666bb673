import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import type { Snapshot } from '../../world/snapshot-schema.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';

let mock: RunningMock;
const snapshot = async (of = mock) => (await callControl(of.addresses.host, 'GET', '/snapshot')).body as Snapshot;

beforeAll(async () => {
  mock = await startMock({ seed: 4, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
});
afterAll(() => mock.close());

/** Creates one of everything: a running deployment, a deletion, a workspace, an execution, files and an upload. */
async function live({ addresses: { host }, target }: RunningMock): Promise<void> {
  const token = target.credentials.admin.value;
  const did = [
    await callManagement(host, token, 'POST', '/agents', {
      metadata: { name: 'fresh' },
      spec: { runtime: { generation: 'mk3' } },
    }),
    await callManagement(host, token, 'DELETE', '/functions/demo-tools'),
    await callManagement(host, token, 'POST', '/workspaces', { metadata: { name: 'fresh-space' }, spec: {} }),
    await callManagement(host, token, 'POST', '/jobs/demo-job/executions', { tasks: [{ a: 1 }] }),
    await callControl(host, 'POST', '/tokens', { scopes: ['agents:get'], lifetimeSeconds: 60 }),
  ];
  expect(did.filter(({ status }) => status >= 300)).toEqual([]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const box = `${host}/sandbox/demo/demo-box`;
  const files = { method: 'PUT', headers, body: JSON.stringify({ files: { 'a.txt': 'héllo \ud800' } }) };
  expect((await fetch(`${box}/filesystem/tree/app`, files)).status).toBe(200);
}

test('a snapshot restored in another mock yields the same snapshot, byte for byte', async () => {
  await live(mock);
  const taken = await snapshot();
  await using other = await startMock({ seed: 9 });
  expect((await callControl(other.addresses.host, 'PUT', '/snapshot', taken)).status).toBe(200);
  expect(JSON.stringify(await snapshot(other))).toBe(JSON.stringify(taken));
  expect(other.target.credentials).toEqual(mock.target.credentials);
});

/** A token that nobody has used, so that only its signature is known to be valid. */
async function unusedToken({ addresses: { host } }: RunningMock): Promise<string> {
  const headers = { authorization: `Basic ${btoa('demo-client:demo-secret')}` };
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'agents:get' });
  const response = await fetch(`${host}/oauth/token`, { method: 'POST', headers, body });
  return ((await response.json()) as { access_token: string }).access_token;
}

const canRead = async ({ addresses: { host } }: RunningMock, token: string) =>
  (await callManagement(host, token, 'GET', '/agents/demo-agent')).status === 200;

test('tokens that were not used before the snapshot are valid in every world that it reaches', async () => {
  await using first = await startMock({ seed: 5 });
  await using second = await startMock({ seed: 6 });
  await using third = await startMock({ seed: 7 });
  const ofFirst = await unusedToken(first);
  await changeMock(second.addresses.host, 'PUT', '/snapshot', await snapshot(first));
  const ofSecond = await unusedToken(second);
  await changeMock(third.addresses.host, 'PUT', '/snapshot', await snapshot(second));
  expect([await canRead(second, ofFirst), await canRead(third, ofFirst), await canRead(third, ofSecond)]).toEqual([
    true,
    true,
    true,
  ]);
  const world = await third.newWorld();
  await world.snapshot.set(await third.snapshot.get());
  expect(await canRead({ addresses: world.addresses } as RunningMock, ofFirst)).toBe(true);
  expect(await canRead(third, `${ofFirst.slice(0, -8)}AAAAAAAA`)).toBe(false);
});

test('a carried token can be revoked, and is refused without the snapshot', async () => {
  await using first = await startMock({ seed: 5 });
  await using second = await startMock({ seed: 5 });
  const token = await unusedToken(first);
  expect(await canRead(second, token)).toBe(false);
  await changeMock(second.addresses.host, 'PUT', '/snapshot', await snapshot(first));
  expect(await canRead(second, token)).toBe(true);
  const body = new URLSearchParams({ client_id: 'demo-client', client_secret: 'demo-secret', token });
  expect((await fetch(`${second.addresses.host}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
  expect(await canRead(second, token)).toBe(false);
  expect((await callControl(second.addresses.host, 'POST', '/reset')).status).toBe(200);
  expect(await canRead(second, await unusedToken(first))).toBe(false);
});

test('a snapshot without tokenIssuers, as older versions wrote it, is still restored', async () => {
  const { tokenIssuers: _, ...older } = await snapshot();
  await using other = await startMock({ seed: 9 });
  expect((await callControl(other.addresses.host, 'PUT', '/snapshot', older)).status).toBe(200);
  expect(await canRead(other, mock.target.credentials.apiKey.value)).toBe(true);
});

test('the integrations of a restored world have the addresses of its own identity provider', async () => {
  const world = await mock.newWorld();
  await changeMock(world.addresses.host, 'PUT', '/snapshot', await snapshot());
  const token = mock.target.credentials.admin.value;
  const { body } = await callManagement(world.addresses.host, token, 'GET', '/integrations/google-mail');
  expect((body as { endpoints: object }).endpoints).toMatchObject({
    authorize: `${world.addresses.host}/_mock/idp/authorize`,
    token: `${world.addresses.host}/_mock/idp/token`,
  });
});

test('both worlds respond identically from then on, including random values and metrics', async () => {
  await using other = await startMock({ seed: 9 });
  await changeMock(other.addresses.host, 'PUT', '/snapshot', await snapshot());
  const token = mock.target.credentials.admin.value;
  const create = { metadata: { name: 'after' }, spec: { runtime: { generation: 'mk3' } } };
  const window = 'startTime=2026-04-01T00:00:00Z&endTime=2026-04-08T00:00:00Z';
  const responses = async ({ addresses: { host } }: RunningMock) => [
    await callManagement(host, token, 'POST', '/agents', create),
    await callManagement(host, token, 'GET', '/agents/fresh'),
    await callManagement(host, token, 'GET', `/accounts/acc-demo/metrics?${window}`),
    await callManagement(host, token, 'GET', '/jobs/demo-job/executions'),
  ];
  const text = async (of: RunningMock) =>
    JSON.stringify(await responses(of))
      .replaceAll(of.addresses.host, 'HOST')
      .replaceAll(/localhost:\d+/g, 'localhost');
  expect(await text(other)).toBe(await text(mock));
});

test('a reset restores the initial world and its tokens, after changes and after a foreign snapshot', async () => {
  await using fresh = await startMock({ seed: 6, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
  const { host } = fresh.addresses;
  const [first, target] = [await snapshot(fresh), fresh.target];
  await live(fresh);
  await changeMock(host, 'PUT', '/faults', { rules: [{ status: 503 }] });
  await changeMock(host, 'PUT', '/clock', { advanceMs: 5000, mode: 'running' });
  await changeMock(host, 'PUT', '/snapshot', await snapshot());
  expect((await callControl(host, 'POST', '/reset')).body).toEqual({ now: '2026-04-16T00:00:00.000Z', mode: 'frozen' });
  expect(await snapshot(fresh)).toEqual(first);
  expect(fresh.target).toEqual(target);
  expect((await callControl(host, 'GET', '/requests')).body).toMatchObject({ count: 0, received: 0 });
  expect((await callManagement(host, target.credentials.admin.value, 'GET', '/agents')).status).toBe(200);
});

test('a reset ends open watch streams', async () => {
  await using fresh = await startMock();
  const headers = { authorization: `Bearer ${fresh.target.credentials.admin.value}` };
  const watch = await fetch(`${fresh.addresses.host}/sandbox/demo/demo-box/watch/filesystem/app`, { headers });
  expect(watch.status).toBe(200);
  await changeMock(fresh.addresses.host, 'POST', '/reset');
  expect(await watch.text()).toBe('');
});

test.each<[string, (snapshot: Snapshot) => unknown, RegExp]>([
  ['of another version', (taken) => ({ ...taken, snapshot: 2 }), /snapshot: 2 is not 1/],
  ['with an unknown member', (taken) => ({ ...taken, extra: 1 }), /extra/],
  ['without a clock', ({ clock, ...rest }) => rest, /Missing key "clock"/],
  [
    'with an impossible time',
    (taken) => ({ ...taken, clock: { now: 'x', mode: 'frozen' } }),
    /clock\.now: "x" is not an RFC 3339/,
  ],
  ['with a foreign account', (taken) => ({ ...taken, accounts: [] }), /account is "acc-demo"; allowed: none/],
  ['with a foreign caller', (taken) => ({ ...taken, callers: [] }), /caller is/],
  ['with an unknown course', (taken) => withCourse(taken, 'fly'), /course: "fly" is not one of deploy, provision/],
  ['with an invalid code', withCodes([[1, 2]]), /oauth\.codes\[0\]\[0\]: a number is not a string/],
  ['with a code without a grant', withCodes([['c', {}]]), /Missing key "grant" in oauth\.codes\[0\]\[1\]/],
  [
    'with an invalid public key',
    (taken) => ({ ...taken, tokenIssuers: [{ issuer: 'http://a', audience: 'http://a/v0', publicKey: 'x' }] }),
    /publicKey: "x" is not an Ed25519 public key/,
  ],
  [
    'with an absurd memory',
    withAgent({ spec: { runtime: { memory: 1e300 } } }),
    /runtime\.memory is 1e\+300; allowed: /,
  ],
  [
    'with a revision of absurd scale',
    withAgent({ deployments: [{ course: 'deploy', revision: 'r', startedAt: 0, runtime: { minScale: 1e300 } }] }),
    /resources\.demo\/agents\[0\]\.deployments\[0\]\.runtime\.minScale is 1e\+300/,
  ],
  [
    'with triggers that are not a list',
    withAgent({ spec: { triggers: 7 } }),
    /resources\.demo\/agents\[0\]\.spec\.triggers must be an array; found 7/,
  ],
  [
    'with a revision whose runtime is malformed',
    withAgent({ deployments: [{ course: 'deploy', revision: 'r', startedAt: 0, runtime: { memory: 'x' } }] }),
    /demo\/agents\[0\]\.deployments\[0\]\.runtime\.memory must be an integer; found "x"/,
  ],
  [
    'with a replaced revision whose runtime is malformed',
    withAgent({ deployments: [{ course: 'deploy', revision: 'r', startedAt: 0, replaces: { runtime: { envs: 1 } } }] }),
    /demo\/agents\[0\]\.deployments\[0\]\.replaces\.runtime\.envs must be an array/,
  ],
  [
    'with malformed labels',
    withAgent({ metadata: { labels: 7 } }),
    /demo\/agents\[0\]\.metadata\.labels must be an object/,
  ],
  [
    'with an invalid runtime of an earlier revision',
    withReplaced({ runtime: { memory: 'x' } }),
    /resources\.demo\/agents\[0\]\.deployments\[0\]\.replaces\.runtime\.memory .*"x"/,
  ],
  [
    'with a name that no resource has',
    withAgent({ name: 'a/b' }),
    /demo\/agents\[0\]\.metadata\.name must be .*found "a\/b"/,
  ],
  [
    'with a collection that no kind has',
    (taken) => ({ ...taken, resources: { 'demo/robots': [] } }),
    /the key "demo\/robots"; allowed: \{workspace\}\/agents, .*account:\{id\}\/workspaces/,
  ],
  [
    'with executions as an older version saved them',
    withExecution({ tasks: [], runtime: { memory: 2048 }, stoppedAt: 7 }),
    /Unknown key "stoppedAt" in resources\.demo\/jobs\/demo-job\/executions\[0\]\.spec\..*Allowed: tasks, runtime, stop/,
  ],
  [
    'with an execution whose attempts are malformed',
    withExecution({ tasks: [{ arguments: {}, attempts: [{ takesMs: 'x' }] }], runtime: { memory: 2048 } }),
    /executions\[0\]\.spec\.tasks\[0\]\.attempts\[0\]\.takesMs: "x" is not a number/,
  ],
  [
    'with an impossible instant',
    withAgent({ createdAt: 8.7e15 }),
    /createdAt: .* to 400000000000000, in milliseconds since 1970/,
  ],
  ['with an absurd setting', withSetting({ memory: 1e300 }), /lifetimes\[0\]\.settings\[0\]\.memory/],
  ['with an absurd use', withUse({ ticks: 1e300 }), /inference\.uses\..*ticks/],
  ['with a use without a time', withUse({ second: null }), /second/],
  ['that is not an object', () => [], /Expected an object with the keys snapshot, seed/],
])('a snapshot %s is rejected with a clear message, and nothing changes', async (_, spoil, words) => {
  const before = await snapshot();
  const { status, body } = await callControl(mock.addresses.host, 'PUT', '/snapshot', spoil(before));
  expect([status, body]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(words) })]);
  expect(await snapshot()).toEqual(before);
});

function withCodes(codes: unknown): (taken: Snapshot) => unknown {
  return (taken) => ({ ...taken, oauth: { ...taken.oauth, codes } });
}

function withAgent(change: object): (taken: Snapshot) => unknown {
  return (taken) => {
    const [agent] = taken.resources['demo/agents'] ?? [];
    return { ...taken, resources: { 'demo/agents': [{ ...agent, ...change }] } };
  };
}

function withReplaced(replaces: object): (taken: Snapshot) => unknown {
  return (taken) => {
    const [deployment] = taken.resources['demo/agents']?.[0]?.deployments ?? [];
    return withAgent({ deployments: [{ ...deployment, replaces }] })(taken);
  };
}

function withExecution(spec: object): (taken: Snapshot) => unknown {
  return (taken) => {
    const key = 'demo/jobs/demo-job/executions';
    const [execution] = taken.resources[key] ?? [];
    return { ...taken, resources: { [key]: [{ ...execution, spec }] } };
  };
}

function withSetting(change: object): (taken: Snapshot) => unknown {
  return (taken) => {
    const [first] = taken.lifetimes;
    return { ...taken, lifetimes: [{ ...first, settings: [{ ...first?.settings[0], ...change }] }] };
  };
}

function withUse(change: object): (taken: Snapshot) => unknown {
  const use = { dimension: 'agent_compute_runtime_gbs', second: 0, ticks: 1, ...change };
  return (taken) => ({ ...taken, inference: { ...taken.inference, uses: { some: [use] } } });
}

function withCourse(taken: Snapshot, course: string): unknown {
  const [agent] = taken.resources['demo/agents'] ?? [];
  return {
    ...taken,
    resources: { 'demo/agents': [{ ...agent, deployments: [{ ...agent?.deployments[0], course }] }] },
  };
}

test('in a restored world a deleted sandbox loses its files', async () => {
  await using restored = await startMock({ seed: 9 });
  expect((await callControl(restored.addresses.host, 'PUT', '/snapshot', await snapshot())).status).toBe(200);
  expect(Object.keys(restored.world.sandboxes.save())).toContain('demo/demo-box');
  const token = restored.target.credentials.admin.value;
  expect((await callManagement(restored.addresses.host, token, 'DELETE', '/sandboxes/demo-box')).status).toBe(200);
  expect(Object.keys(restored.world.sandboxes.save())).not.toContain('demo/demo-box');
});

test('threads, codes and invocations continue in the restored world', async () => {
  await using begun = await startMock({ seed: 5, clock: 'frozen' });
  await using other = await startMock({ seed: 6 });
  const { admin } = begun.target.credentials;
  const headers = {
    authorization: `Bearer ${admin.value}`,
    'content-type': 'application/json',
    'x-svc-thread-id': 't1',
  };
  const queryAgent = ({ addresses: { host } }: RunningMock) =>
    fetch(`${host}/demo/agents/demo-agent`, { method: 'POST', headers, body: '{"inputs":"Hello"}' });
  expect((await queryAgent(begun)).status).toBe(200);
  const query = 'response_type=code&client_id=demo-client&redirect_uri=http://127.0.0.1:8765/callback&prompt=none';
  const redirect = await fetch(`${begun.addresses.host}/oauth/authorize?${query}`, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location') ?? '').searchParams.get('code') ?? '';
  expect((await callControl(other.addresses.host, 'PUT', '/snapshot', await snapshot(begun))).status).toBe(200);
  expect(other.world.inference).toEqual(begun.world.inference);
  expect([...other.world.oauth.codes.keys()]).toEqual([...begun.world.oauth.codes.keys()]);
  const form = { grant_type: 'authorization_code', code, redirect_uri: 'http://127.0.0.1:8765/callback' };
  const exchange = await fetch(`${other.addresses.host}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('demo-client:demo-secret')}` },
    body: new URLSearchParams(form),
  });
  expect(exchange.status).toBe(200);
});
