import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { CallbackView } from './views.ts';
import { startMock } from '../../start-mock.ts';
import { callControl, callManagement } from '../../testing/control-client.ts';

test.each([
  ['/invocations?by=webhook', /by is "webhook"; allowed: call, async, cron/],
  [
    '/invocations?workload=agent/demo',
    /workload is "agent\/demo"; allowed: agents, functions, jobs or models and a name/,
  ],
  ['/outbox?agent=demo-agent', /a query parameter is "agent"; allowed: none/],
])('%s is refused', async (path, message) => {
  await using mock = await startMock();
  const { status, body } = await callControl(mock.addresses.host, 'GET', path);
  expect({ status, body }).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } });
});

test('invocations and callbacks are listed', async () => {
  await using mock = await startMock({ seed: 3, clock: 'frozen', now: Date.UTC(2026, 3, 16) });
  const token = mock.target.credentials.admin.value;
  const control = async (method: string, path: string, body?: unknown) =>
    (await callControl(mock.addresses.host, method, path, body)).body as Record<string, never[]>;
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.writeHead(received.length === 1 ? 500 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/called`;
  const configuration = { path: '/later', callbackUrl: url, retry: 2 };
  const spec = { triggers: [{ id: 'later', type: 'http-async', configuration }] };
  await callManagement(mock.addresses.host, token, 'PUT', '/agents/demo-agent', {
    metadata: { name: 'demo-agent' },
    spec,
  });
  await control('PUT', '/clock', { advanceMs: 5000 });
  const sent = await fetch(`${mock.addresses.inference}/demo/agents/demo-agent/later`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"inputs":"Hi"}',
  });
  expect(sent.status).toBeLessThan(300);
  expect(await control('GET', '/invocations?by=async')).toMatchObject({
    count: 1,
    invocations: [{ workspace: 'demo', workload: 'agents/demo-agent', by: 'async', trigger: 'later', status: 200 }],
  });
  expect(await control('GET', '/invocations?workload=agents/other')).toEqual({ count: 0, invocations: [] });
  expect(await control('GET', '/outbox')).toMatchObject({ count: 1, callbacks: [{ url, attempts: [] }] });
  for (let seconds = 0; seconds < 10 && received.length < 2; seconds += 1) {
    await control('PUT', '/clock', { advanceMs: 1000 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await expect
    .poll(async () => control('GET', '/outbox'), { timeout: 60_000 })
    .toMatchObject({ callbacks: [{ dueAt: null, attempts: [{ status: 500 }, { status: 200 }] }] });
  expect((await callControl(mock.addresses.host, 'GET', '/invocations?agent=x')).status).toBe(400);
  const [{ body, attempts }] = (await mock.outbox()).callbacks as [CallbackView];
  const secret = mock.world.inference.requests[0]?.callback?.secret ?? '';
  expect(body).toMatchObject({ status: 'succeeded', statusCode: 200, body: { inputs: 'Hi' } });
  for (const { time, signature } of attempts) {
    const signed = `${Math.floor(Date.parse(time) / 1000)}.${JSON.stringify(body)}`;
    expect(signature).toBe(`sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`);
  }
  server.close();
});
