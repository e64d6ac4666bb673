import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startMock, type MockOptions, type RunningMock } from '../../start-mock.ts';
import { allowedAddresses, refusalOf } from './callback-policy.ts';

let mock: RunningMock;

afterEach(() => mock?.close());

const policy = { origins: [], ownPort: '4010', isForeign: false };

test.each([
  'http://127.0.0.1:4010/',
  'http://localhost:4010/',
  'http://[::1]:4010/x',
  'http://127.9.9.9:4010/',
  'http://0.0.0.0:4010/',
])('the mock itself gets no callbacks: %s', (url) => {
  expect(refusalOf(url, { ...policy, origins: [new URL(url).origin] })).toContain('the mock itself');
});

test('only http and https get callbacks', () => {
  expect(refusalOf('ftp://127.0.0.1/x', policy)).toBe('callbackUrl "ftp://127.0.0.1/x" is not an http or https URL');
});

test('a name that resolves to this machine is refused after it was resolved', async () => {
  const url = 'http://localhost:4010/';
  await expect(allowedAddresses(url, policy)).rejects.toThrow('the mock itself');
  await expect(allowedAddresses('http://localhost:4011/', policy)).resolves.toContainEqual({
    address: '127.0.0.1',
    family: 4,
  });
  await expect(allowedAddresses('http://[::ffff:127.0.0.1]:4011/', { ...policy, isForeign: true })).rejects.toThrow(
    'this machine',
  );
});

/** Puts an async trigger with this callback URL as a page of `origin`, calls it, and resolves to what the outbox lists. */
async function callbackSetBy(origin: string | undefined, callbackUrl: string, options: MockOptions = {}) {
  mock = await startMock({ clock: 'frozen', ...options });
  const headers = {
    authorization: `Bearer ${mock.target.credentials.admin.value}`,
    'content-type': 'application/json',
    ...(origin !== undefined && { origin }),
  };
  await setUrl(callbackUrl, headers);
  return callTrigger(headers);
}

async function setUrl(callbackUrl: string, headers: Record<string, string>): Promise<void> {
  const url = callbackUrl.replace('OWN', mock.addresses.host);
  const triggers = [{ id: 'later', type: 'http-async', configuration: { callbackUrl: url } }];
  const spec = { runtime: { generation: 'mk3' }, triggers };
  const response = await fetch(`${mock.addresses.management}/agents/demo-agent-mk3`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ metadata: { name: 'demo-agent-mk3' }, spec }),
  });
  expect(response.status).toBe(200);
}

async function callTrigger(headers: Record<string, string>) {
  const response = await fetch(`${mock.addresses.inference}/demo/agents/demo-agent-mk3/later`, {
    method: 'POST',
    headers,
    body: '{"inputs":"x"}',
  });
  const { callback } = (await response.json()) as { callback: { willBePosted: boolean; reason?: string } };
  await mock.clock.advance('1m');
  await mock.world.schedule.settled();
  const { callbacks } = await mock.outbox();
  return { ...callback, attempts: callbacks.at(-1)?.attempts.length };
}

async function receiver(location?: string) {
  let count = 0;
  const server = http.createServer((_, response) => {
    count++;
    response.writeHead(location === undefined ? 200 : 307, location === undefined ? {} : { location }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`;
  return { url, count: () => count, [Symbol.dispose]: () => void server.close() };
}

const EVIL = 'https://evil.example';

test('a page of another origin cannot reset the mock through a callback', async () => {
  expect(await callbackSetBy(EVIL, 'OWN/_mock/reset')).toMatchObject({ willBePosted: false, attempts: 0 });
  expect((await mock.requests()).filter(({ path }) => path === '/_mock/reset')).toEqual([]);
  expect((await mock.invocations()).length).toBeGreaterThan(0);
});

test('nor can it reach another port of this machine', async () => {
  using hook = await receiver();
  expect(await callbackSetBy(EVIL, hook.url)).toMatchObject({
    willBePosted: false,
    reason: expect.stringContaining('--control-origin or callbackOrigins') as string,
  });
  expect(hook.count()).toBe(0);
});

test.each<[string, string | undefined, MockOptions]>([
  ['a program', undefined, {}],
  ['a page of this machine', 'http://localhost:5173', {}],
  ['a page that may control the mock', EVIL, { controlOrigins: [EVIL] }],
  ['a page of one of the callback origins', EVIL, { world: { extends: 'default', callbackOrigins: [EVIL] } }],
])('%s may set a callback URL on this machine', async (_, origin, options) => {
  using hook = await receiver();
  expect(await callbackSetBy(origin, hook.url, options)).toMatchObject({ willBePosted: true, attempts: 1 });
  expect(hook.count()).toBe(1);
});

test('a URL stays untrusted if a program repeats it, also in a snapshot, and is trusted if a program changes it', async () => {
  using hook = await receiver();
  await callbackSetBy(EVIL, hook.url);
  const { origin: _, ...headers } = {
    authorization: `Bearer ${mock.target.credentials.admin.value}`,
    'content-type': 'application/json',
    origin: EVIL,
  };
  await setUrl(hook.url, headers);
  await mock.snapshot.set(await mock.snapshot.get());
  expect(await callTrigger(headers)).toMatchObject({ willBePosted: false });
  await setUrl(`${hook.url}/other`, headers);
  expect(await callTrigger(headers)).toMatchObject({ willBePosted: true });
});

test('redirects are not followed', async () => {
  using target = await receiver();
  using hook = await receiver(target.url);
  await callbackSetBy(undefined, hook.url);
  expect([hook.count(), target.count()]).toEqual([1, 0]);
});

test('many callbacks that are due are posted, a few at a time', async () => {
  using hook = await receiver();
  await callbackSetBy(undefined, hook.url);
  const headers = {
    authorization: `Bearer ${mock.target.credentials.admin.value}`,
    'content-type': 'application/json',
  };
  for (let times = 0; times < 100; times++)
    await fetch(`${mock.addresses.inference}/demo/agents/demo-agent-mk3/later`, {
      method: 'POST',
      headers,
      body: '{"inputs":"x"}',
    });
  await mock.clock.advance('1m');
  await mock.world.schedule.settled();
  expect(hook.count()).toBe(101);
});
