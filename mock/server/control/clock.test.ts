import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { callManagement, callControl } from '../../testing/control-client.ts';

let mock: RunningMock;
const send = (method: string, body?: unknown) => callControl(mock.addresses.host, method, '/clock', body);

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
});
afterAll(() => mock.close());

test('the clock can be read, set, advanced, run and frozen', async () => {
  expect((await send('GET')).body).toEqual({ now: '2026-04-16T00:00:00.000Z', mode: 'frozen' });
  expect((await send('PUT', { now: '2026-05-01T02:00:00+02:00', advanceMs: 1500 })).body).toEqual({
    now: '2026-05-01T00:00:01.500Z',
    mode: 'frozen',
  });
  expect((await send('PUT', { mode: 'running' })).body).toMatchObject({ mode: 'running' });
  expect((await send('PUT', { mode: 'frozen', now: '2026-04-16T00:00:00Z' })).body).toEqual({
    now: '2026-04-16T00:00:00.000Z',
    mode: 'frozen',
  });
});

test('deployments and tokens follow the clock', async () => {
  const { host } = mock.addresses;
  const token = mock.target.credentials.apiKey.value;
  const metadata = { name: 'timed' };
  await callManagement(host, token, 'POST', '/agents', { metadata, spec: { runtime: { generation: 'mk2' } } });
  const status = async () =>
    ((await callManagement(host, token, 'GET', '/agents/timed')).body as { status: string }).status;
  expect(await status()).toBe('UPLOADING');
  await send('PUT', { advanceMs: 1000 });
  expect(await status()).toBe('DEPLOYED');
  const { admin } = mock.target.credentials;
  expect((await callManagement(host, admin.value, 'GET', '/agents')).status).toBe(200);
  await send('PUT', { advanceMs: 366 * 86_400_000 });
  expect((await callManagement(host, admin.value, 'GET', '/agents')).status).toBe(401);
});

test.each([
  [{}, /the body is \{\}; allowed: any of mode, now, advanceMs\./],
  [[], /Expected an object/],
  [{ mode: 'stopped' }, /mode: "stopped" is not one of running, frozen/],
  [{ now: 'tomorrow' }, /now: "tomorrow".*RFC 3339/],
  [{ now: '2026-02-30T00:00:00Z' }, /now.*RFC 3339/],
  [{ advanceMs: -1 }, /advanceMs: -1 is not at least 0/],
  [{ advanceMs: 1e300 }, /advanceMs: .* is not at most/],
  [{ advanceMs: 1e15 }, /advanceMs.*9999/],
  [{ advance: 1 }, /advance.*Allowed: mode, now, advanceMs/],
  ['{', /JSON/],
  ['', /empty/],
])('%j is rejected with a clear message', async (body, words) => {
  const { status, body: reply } = await send('PUT', body);
  expect([status, reply]).toEqual([400, expect.objectContaining({ message: expect.stringMatching(words) })]);
});
