import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { MockOptions } from '../mock-options.ts';
import { StateFileError } from './state-file-error.ts';
import { startMock, type RunningMock } from '../start-mock.ts';

const NOW = Date.parse('2026-11-01T00:00:00Z');
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-state-'));
  file = path.join(folder, 'mock.db');
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const start = (options: MockOptions = {}) => startMock({ state: file, clock: 'frozen', ...options });
const first = () => start({ seed: 3, now: NOW });

async function call(mock: RunningMock, method: string, url: string, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${mock.target.credentials.apiKey.value}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}

const agentUrl = ({ addresses }: RunningMock) => `${addresses.management}/agents/demo-agent`;
const put = (mock: RunningMock, displayName: string) =>
  call(mock, 'PUT', agentUrl(mock), { metadata: { name: 'demo-agent', displayName }, spec: {} });

test('a mock continues with the state of the one before it', async () => {
  const kept = [];
  {
    await using mock = await first();
    await put(mock, 'Kept');
    await call(mock, 'POST', `${mock.addresses.management}/vpcs`, { metadata: { name: 'kept' }, spec: {} });
    await call(mock, 'DELETE', `${mock.addresses.management}/jobs/demo-job`);
    await call(mock, 'POST', `${mock.addresses.inference}/demo/agents/demo-agent`, { inputs: 'hello' });
    await call(mock, 'PUT', `${mock.addresses.host}/sandbox/demo/demo-box/filesystem/tree/app`, { files: { a: 'b' } });
    await mock.clock.advance('1h');
    kept.push(await mock.snapshot.get(), mock.target.credentials);
  }
  await using mock = await start();
  const { addresses: _addresses, ...snapshot } = (await mock.snapshot.get()) as Record<string, unknown>;
  expect(snapshot).toEqual(kept[0]);
  expect(mock.target.credentials).toEqual(kept[1]);
  expect((await call(mock, 'GET', agentUrl(mock))).body.metadata.displayName).toBe('Kept');
});

test('a token that was not used before the restart is valid after it, although the port is another one', async () => {
  let token: string;
  {
    await using mock = await first();
    const headers = { authorization: `Basic ${btoa('demo-client:demo-secret')}` };
    const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'agents:get' });
    const response = await fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', headers, body });
    token = ((await response.json()) as { access_token: string }).access_token;
  }
  await using mock = await start();
  const response = await fetch(agentUrl(mock), { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(200);
});

test('a world that was loaded later is in the file, and a reset restores it', async () => {
  {
    await using mock = await first();
    await mock.loadWorld('empty');
  }
  await using mock = await start();
  const agents = () => call(mock, 'GET', `${mock.addresses.management}/agents`);
  expect((await agents()).body).toEqual([]);
  await call(mock, 'POST', `${mock.addresses.management}/vpcs`, { metadata: { name: 'gone' }, spec: {} });
  await mock.reset();
  expect((await agents()).body).toEqual([]);
  expect((await call(mock, 'GET', `${mock.addresses.management}/vpcs`)).body).toEqual([]);
});

test('an execution is in the file with its usage before its response is sent', async () => {
  const copy = path.join(folder, 'copy.db');
  await using mock = await first();
  await call(mock, 'POST', `${mock.addresses.management}/jobs/demo-job/executions`, { tasks: [{}] });
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, `${copy}-wal`);
  await using after = await startMock({ state: copy, clock: 'frozen' });
  expect(after.world.inference).toEqual(mock.world.inference);
  expect(Object.keys(after.world.inference.uses)).toHaveLength(1);
});

const list = (mock: RunningMock) => call(mock, 'GET', `${mock.addresses.management}/vpcs`);
const createVpc = (mock: RunningMock, name: string) =>
  call(mock, 'POST', `${mock.addresses.management}/vpcs`, { metadata: { name }, spec: {} });

test('writes that arrive at the same time are one transaction', async () => {
  const names = Array.from({ length: 20 }, (_, nth) => `made-${nth}`);
  {
    await using mock = await first();
    // Opens the connections.
    await Promise.all(names.map(() => list(mock)));
    const run = vi.spyOn(StatementSync.prototype, 'run');
    const created = await Promise.all(names.map((name) => createVpc(mock, name)));
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 200));
    const statements = run.mock.contexts.map((statement) => (statement as StatementSync).sourceSQL);
    expect(statements.filter((sql) => sql === 'COMMIT').length).toBeLessThan(names.length);
  }
  await using mock = await start();
  const listed = (await list(mock)).body.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  expect(listed).toEqual(expect.arrayContaining(names));
});

test('a write that cannot be saved is not acknowledged, and the next one saves it too', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  {
    await using mock = await first();
    vi.spyOn(StatementSync.prototype, 'run').mockImplementationOnce(() => {
      throw new Error('The disk is full.');
    });
    expect((await createVpc(mock, 'one')).status).toBe(500);
    expect((await createVpc(mock, 'two')).status).toBe(200);
  }
  await using mock = await start();
  const listed = (await list(mock)).body.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  expect(listed).toEqual(expect.arrayContaining(['one', 'two']));
});

test('a start that fails leaves no file', async () => {
  const { target: _target, ...broken } = defaultWorld(1, NOW);
  await expect(
    start({ world: { ...broken, target: { account: 'none', workspace: 'demo', resources: {} } } }),
  ).rejects.toThrow('target.account is "none"');
  await using mock = await first();
  expect(mock.world.seed).toBe(3);
});

test('reset restores the world that the file was created with', async () => {
  {
    await using mock = await first();
    await put(mock, 'Kept');
  }
  await using mock = await start();
  await mock.reset();
  expect((await call(mock, 'GET', agentUrl(mock))).body.metadata.displayName).not.toBe('Kept');
  expect(await mock.clock.get()).toMatchObject({ now: '2026-11-01T00:00:00.000Z' });
  await put(mock, 'After');
  await mock.close();
  await using again = await start();
  expect((await call(again, 'GET', agentUrl(again))).body.metadata.displayName).toBe('After');
});

test('reset restores the mode of the clock that the file was created with', async () => {
  await (await first()).close();
  await using mock = await startMock({ state: file });
  await mock.reset();
  expect(await mock.clock.get()).toMatchObject({ mode: 'frozen' });
});

test('a resource that was deleted and created again is the last one', async () => {
  const url = ({ addresses }: RunningMock) => `${addresses.management}/policies`;
  const names = async (mock: RunningMock): Promise<string[]> =>
    (await call(mock, 'GET', url(mock))).body.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  const create = async (mock: RunningMock, name: string) => {
    const spec = { type: 'location', locations: [{ type: 'country', name: 'us' }] };
    expect((await call(mock, 'POST', url(mock), { metadata: { name }, spec })).status).toBe(200);
  };
  {
    await using mock = await first();
    await create(mock, 'one');
    await create(mock, 'two');
    await mock.close();
  }
  {
    await using mock = await start();
    await call(mock, 'DELETE', `${url(mock)}/one`);
    await create(mock, 'one');
    expect((await names(mock)).slice(-2)).toEqual(['two', 'one']);
  }
  await using mock = await start();
  expect((await names(mock)).slice(-2)).toEqual(['two', 'one']);
});

test('a damaged file is refused', async () => {
  await (await first()).close();
  const damaged = new DatabaseSync(file);
  damaged.exec("UPDATE entry SET value = '{' WHERE member = 'lifecycles'");
  damaged.close();
  await expect(start()).rejects.toThrow('is damaged: an entry is not JSON.');
});

test.each([
  [
    "DELETE FROM entry WHERE member = 'origin'",
    /is damaged, .* Expected an object with the keys seed, now, clock, world/,
  ],
  [
    "UPDATE entry SET value = '7' WHERE member = 'resources' AND key = ''",
    /the entry resources \[.*\] is part of none/,
  ],
  ["UPDATE entry SET key = '7' WHERE member = 'target'", /an entry is not JSON/],
  [
    "UPDATE entry SET member = '__proto__', key = '[\"x\"]' WHERE member = 'target'",
    /the entry __proto__ .* part of none/,
  ],
  [`UPDATE entry SET value = '{"cronUpTo":"x"}' WHERE member = 'inference'`, /in inference/],
  [
    `UPDATE entry SET value = json_set(value, '$.spec.triggers', 7) WHERE key = '["demo/agents","demo-agent"]'`,
    /has an invalid world: resources\.demo\/agents\[\d+\]\.spec\.triggers must be an array; found 7/,
  ],
  [
    `UPDATE entry SET value = json_set(value, '$.world.resources[0].spec', 7) WHERE member = 'origin'`,
    /its first world: resources\[0\]\.spec: 7 is not an object/,
  ],
  [
    `UPDATE entry SET value = json_set(value, '$.world.resources[0].workspace', 'gone') WHERE member = 'origin'`,
    /has an invalid world: .* is "gone"/,
  ],
])('rows that are not valid are refused: %s', async (change, message) => {
  await (await first()).close();
  const damaged = new DatabaseSync(file);
  damaged.exec(change);
  damaged.close();
  await expect(start()).rejects.toThrow(StateFileError);
  await expect(start()).rejects.toThrow(message);
});

test('a restored snapshot is kept', async () => {
  {
    await using mock = await first();
    const snapshot = await mock.snapshot.get();
    await put(mock, 'Lost');
    await mock.snapshot.set(snapshot);
    await call(mock, 'PUT', `${mock.addresses.host}/_mock/clock`, { advanceMs: 5 });
  }
  await using mock = await start();
  expect((await call(mock, 'GET', agentUrl(mock))).body.metadata.displayName).not.toBe('Lost');
});

test.each([
  [{ seed: 4 }, 'omit --seed.'],
  [{ now: NOW }, 'omit --now.'],
])('an existing file has its own world: %j is refused', async (options, message) => {
  await (await first()).close();
  await expect(start(options)).rejects.toThrow(`${file} exists and has its own world; ${message}`);
});

test('a file of another format is refused', async () => {
  writeFileSync(file, 'not a database, but long enough to look like one'.repeat(40));
  await expect(start()).rejects.toThrow('is not a state file of assay');
  rmSync(file);
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE entry (a)');
  other.close();
  await expect(start()).rejects.toThrow('is not a state file of assay');
  rmSync(file);
});

test.each([1, 9])('a file of format version %i is refused', async (version) => {
  await (await first()).close();
  const other = new DatabaseSync(file);
  other.exec(`PRAGMA user_version = ${version}`);
  other.close();
  await expect(start()).rejects.toThrow(`has format version ${version}; this version of assay reads 2.`);
});

test('a file serves one mock at a time', async () => {
  await using mock = await first();
  expect(mock.addresses.host).toContain('http');
  await expect(start()).rejects.toThrow('is in use by another mock');
});
