import { expect, test } from 'vitest';
import { defaultWorld } from '../fixtures/worlds/default.ts';
import { startMock, type RunningMock } from './start-mock.ts';
import { freePort } from './testing/free-port.ts';

test('the same seed and time give the same target, tokens included', async () => {
  const options = { seed: 5, now: Date.UTC(2026, 0, 1), clock: 'frozen' } as const;
  await using one = await startMock(options);
  await using other = await startMock({ ...options, port: 0 });
  const tokens = (of: RunningMock) => Object.keys(of.target.credentials);
  expect(tokens(one)).toEqual(tokens(other));
  expect(one.target.credentials.apiKey).toEqual(other.target.credentials.apiKey);
});

test('a mock can be closed while connections are open', async () => {
  const short = await startMock();
  await fetch(`${short.addresses.host}/_mock/health`);
  const pending = fetch(`${short.addresses.management}/agents/x`, {
    method: 'PUT',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: new ReadableStream(),
    duplex: 'half',
  }).catch(() => 'cut off');
  await short.close();
  await pending;
  await expect(fetch(`${short.addresses.host}/_mock/health`)).rejects.toThrow('fetch failed');
});

test('a mock with an invalid world file does not listen', async () => {
  const world = { ...defaultWorld(1, Date.now()), credentials: [] };
  const port = await freePort();
  await expect(startMock({ world, port })).rejects.toThrow('credentials has no "admin"');
  await using again = await startMock({ port });
  expect(again.addresses.host).toContain(String(port));
});
