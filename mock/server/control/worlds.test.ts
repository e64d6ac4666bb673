import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import type { MockTarget } from '../../world/target.ts';
import { callManagement, callControl, changeMock } from '../../testing/control-client.ts';

interface Made {
  id: string;
  control: string;
  target: MockTarget;
}

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
});
afterAll(() => mock.close());

const make = (body?: unknown) => callControl(mock.addresses.host, 'POST', '/worlds', body);
const made = async (body?: unknown) => (await make(body)).body as Made;
const hostOf = ({ target }: Made) => target.addresses.host ?? '';

test('fifty worlds on one port work concurrently and are isolated', async () => {
  const worlds = await Promise.all(
    Array.from({ length: 50 }, (_, index) => made({ id: `w${index}`, seed: index, now: '2026-04-16T00:00:00Z' })),
  );
  await Promise.all(worlds.map((world, index) => workIn(world, index)));
  const results = await Promise.all(worlds.map(lookInto));
  expect(results).toEqual(
    worlds.map((_, index) => ({
      own: [`own-${index}`],
      now: new Date(Date.UTC(2026, 3, 16) + index * 1000).toISOString(),
      seed: index,
      file: `of ${index}`,
      // Agents created and listed, a fault, a file written and read.
      operations: ['createAgent', 'listAgents', 'getAgent', 'writeTree', 'listAgents', 'readTree'],
      foreign: 401,
    })),
  );
  await Promise.all(worlds.map(({ id }) => callControl(mock.addresses.host, 'DELETE', `/worlds/${id}`)));
});

async function workIn(world: Made, index: number): Promise<void> {
  const [host, token] = [hostOf(world), world.target.credentials.admin.value];
  await changeMock(host, 'PUT', '/clock', { advanceMs: index * 1000 });
  await callManagement(host, token, 'POST', '/agents', {
    metadata: { name: `own-${index}` },
    spec: { runtime: { generation: 'mk2' } },
  });
  await callManagement(host, token, 'GET', '/agents');
  await changeMock(host, 'PUT', '/faults', { rules: [{ operation: 'getAgent', status: 500 + index }] });
  expect((await callManagement(host, token, 'GET', '/agents/demo-agent')).status).toBe(500 + index);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ files: { 'own.txt': `of ${index}` } });
  const written = await fetch(`${world.target.addresses.sandbox}/filesystem/tree/app`, {
    method: 'PUT',
    headers,
    body,
  });
  expect(written.status).toBe(200);
}

async function lookInto(world: Made, index: number, all: readonly Made[]) {
  const [host, token] = [hostOf(world), world.target.credentials.admin.value];
  const agents = (await callManagement(host, token, 'GET', '/agents')).body as { metadata: { name: string } }[];
  await fetch(`${world.target.addresses.sandbox}/filesystem/tree/app`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { sandboxes, seed, clock } = (await callControl(host, 'GET', '/snapshot')).body as {
    sandboxes: Record<string, { filesystem: { entries: Record<string, { content: string }> } }>;
    seed: number;
    clock: { now: string };
  };
  const { requests } = (await callControl(host, 'GET', '/requests')).body as { requests: { operation: string }[] };
  const neighbour = all[(index + 1) % all.length];
  const foreign =
    neighbour === undefined ? 0 : (await callManagement(hostOf(neighbour), token, 'GET', '/accounts')).status;
  return {
    own: agents.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('own-')),
    now: clock.now,
    seed,
    file: sandboxes['demo/demo-box']?.filesystem.entries['/app/own.txt']?.content,
    operations: requests.map(({ operation }) => operation).slice(0, 6),
    foreign,
  };
}

test('a world has its own URLs, also for its sandboxes and workloads', async () => {
  const world = await made({ id: 'addressed' });
  const base = `${mock.addresses.host}/_mock/w/addressed`;
  expect(world.control).toBe(`${base}/_mock`);
  expect(world.target.addresses).toEqual({
    management: `${base}/v0`,
    host: base,
    inference: base,
    sandbox: `${base}/sandbox/demo/demo-box`,
  });
  const { body } = await callManagement(base, world.target.credentials.admin.value, 'GET', '/agents/demo-agent');
  expect(body).toMatchObject({ metadata: { url: `${base}/demo/agents/demo-agent` } });
  expect((await callControl(base, 'GET', '/target')).body).toEqual(world.target);
});

test('omitted options default to those of the mock, and an omitted id is generated', async () => {
  const world = await made();
  expect((await callControl(hostOf(world), 'GET', '/health')).body).toEqual({
    status: 'ok',
    now: '2026-04-16T00:00:00.000Z',
    seed: 3,
  });
  expect(world.id).toMatch(/^world-\d+$/);
});

test('a reset affects one world only, and a deleted world is gone', async () => {
  const [one, two] = [await made({ id: 'one' }), await made({ id: 'two' })];
  for (const world of [one, two]) await callControl(hostOf(world), 'PUT', '/clock', { advanceMs: 1000 });
  await changeMock(hostOf(one), 'POST', '/reset');
  const now = async (world: Made) => ((await callControl(hostOf(world), 'GET', '/clock')).body as { now: string }).now;
  expect([await now(one), await now(two)]).toEqual(['2026-04-16T00:00:00.000Z', '2026-04-16T00:00:01.000Z']);
  expect((await callControl(mock.addresses.host, 'DELETE', '/worlds/one')).status).toBe(200);
  expect((await callControl(hostOf(one), 'GET', '/clock')).status).toBe(404);
  expect((await callManagement(hostOf(one), 'x', 'GET', '/agents')).status).toBe(404);
  expect((await callControl(mock.addresses.host, 'DELETE', '/worlds/one')).status).toBe(404);
});

test('a world can be created from a world file', async () => {
  const agents = [{ workspace: 'w', collection: 'agents', name: 'only', spec: { runtime: { generation: 'mk2' } } }];
  const world = await made({ world: { ...smallWorld, resources: agents } });
  const { body } = await callManagement(hostOf(world), world.target.credentials.apiKey.value, 'GET', '/agents');
  expect(body).toEqual([expect.objectContaining({ metadata: expect.objectContaining({ name: 'only' }) })]);
});

const smallWorld = {
  accounts: [{ id: 'a', displayName: 'A', plan: 'free' }],
  workspaces: [{ name: 'w', account: 'a', region: 'local' }],
  callers: [
    {
      id: 'c',
      kind: 'user',
      account: 'a',
      accountRole: 'account-admin',
      workspaces: [{ name: 'w', role: 'workspace-admin' }],
    },
  ],
  credentials: [
    { name: 'admin', kind: 'jwt', caller: 'c', scopes: ['admin'] },
    { name: 'apiKey', kind: 'api-key', caller: 'c', scopes: ['admin'] },
  ],
  resources: [],
  target: { account: 'a', workspace: 'w', resources: {} },
};

// The time at which such a token ends cannot be expressed, so that the world's snapshot could not be restored.
function worldWithLifetime(lifetimeSeconds: number) {
  const [admin, ...others] = smallWorld.credentials;
  return { ...smallWorld, credentials: [{ ...admin, lifetimeSeconds }, ...others] };
}

test.each<[unknown, number, RegExp]>([
  [{ id: 'Not_An_Id' }, 400, /id: "Not_An_Id" is not 1 to 49 lowercase/],
  [{ seed: 'x' }, 400, /seed: "x" is not an integer from 0/],
  [{ now: 'noon' }, 400, /now.*RFC 3339/],
  [{ brand: 'a b' }, 400, /brand: "a b" is not a word/],
  [{ colour: 1 }, 400, /"colour".*Allowed: id, seed/],
  [{ world: { accounts: [] } }, 400, /world: .*workspaces/],
  [{ world: { ...smallWorld, callers: [] } }, 400, /caller/],
  [
    { world: worldWithLifetime(2 ** 53 - 1) },
    400,
    /credentials\[0\]\.lifetimeSeconds: 9007199254740991 is not .* a hundred/,
  ],
  [{ id: 'addressed' }, 409, /World "addressed" exists already; world ids are unique on a port/],
])('%j is rejected with a clear message', async (body, status, words) => {
  const response = await make(body);
  expect(response).toEqual({ status, body: expect.objectContaining({ message: expect.stringMatching(words) }) });
});
