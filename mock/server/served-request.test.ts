import { expect, test } from 'vitest';
import { startMock, type ServedRequest } from '../start-mock.ts';

async function startListening() {
  const requests: ServedRequest[] = [];
  const mock = await startMock({ onRequest: (request) => void requests.push(request) });
  const headers = { authorization: `Bearer ${mock.target.credentials.apiKey.value}` };
  return { mock, requests, headers };
}

test('onRequest gets each request with its status, its duration and the reason of a refusal', async () => {
  const { mock, requests, headers } = await startListening();
  await using _ = mock;
  const { management, host } = mock.addresses;
  await fetch(`${management}/agents/demo-agent?x=1`, { headers });
  await fetch(`${management}/agents/nobody`, { method: 'DELETE', headers });
  await fetch(`${host}/_mock/health`);
  expect(requests).toEqual([
    { method: 'GET', url: '/v0/agents/demo-agent?x=1', status: 200, durationMs: expect.any(Number) as number },
    {
      method: 'DELETE',
      url: '/v0/agents/nobody',
      status: 404,
      durationMs: expect.any(Number) as number,
      reason: expect.stringContaining('nobody') as string,
    },
  ]);
  expect(requests.every(({ durationMs }) => durationMs > 0)).toBe(true);
});

test('it also gets the requests of worlds that are added later, with their whole path', async () => {
  const { mock, requests } = await startListening();
  await using _ = mock;
  await using world = await mock.newWorld({ id: 'later' });
  await fetch(`${world.addresses.management}/agents`);
  expect(requests).toMatchObject([{ url: '/_mock/w/later/v0/agents', status: 401 }]);
});

test('secrets in the query are redacted', async () => {
  const { mock, requests } = await startListening();
  await using _ = mock;
  await fetch(`${mock.addresses.host}/_mock/previews/demo/demo-box/web?token=t0p&%74oken=t0p2&page=1&code=t0p3`);
  expect(requests[0]?.url).toBe(
    '/_mock/previews/demo/demo-box/web?token=[redacted]&%74oken=[redacted]&page=1&code=[redacted]',
  );
});

test('a request whose connection was dropped has no status', async () => {
  const { mock, requests } = await startListening();
  await using _ = mock;
  await mock.faults.set([{ cut: 'before' }]);
  await expect(fetch(mock.addresses.management)).rejects.toThrow('fetch failed');
  expect(requests).toEqual([{ method: 'GET', url: '/v0', durationMs: expect.any(Number) as number }]);
});
