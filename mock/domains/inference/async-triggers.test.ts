import { createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { refusalOf } from './callback-policy.ts';
import { scriptedWorld, START } from '../../testing/scripted-world.ts';

const policy = { origins: ['https://hooks.shop.example'], ownPort: '4010', isForeign: false };

interface Received {
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** Responds with these statuses in order, then always with the last one. */
async function receiver(...statuses: number[]) {
  const received: Received[] = [];
  const server = http.createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += String(piece);
    received.push({ headers: request.headers, text, body: JSON.parse(text) });
    response.writeHead(statuses[received.length - 1] ?? statuses.at(-1) ?? 200, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { received, port, url: `http://127.0.0.1:${port}/done`, [Symbol.dispose]: () => void server.close() };
}

let mock: RunningMock;
beforeEach(async () => {
  const world = scriptedWorld([
    { pattern: '^fail', error: { status: 500, error: 'broken', message: 'It broke.' } },
    { pattern: '^long', reply: 'Done.', delayMs: 20_000 },
  ]);
  mock = await startMock({ clock: 'frozen', now: START, world });
});
afterEach(() => mock.close());

const authorization = () => `Bearer ${mock.target.credentials.admin.value}`;
const json = () => ({ 'content-type': 'application/json', authorization: authorization() });

/** Updates the agent to have one trigger; resolves to the callback secret. */
async function putTrigger(configuration: object, rest: object = {}): Promise<string> {
  const trigger = { id: 'later', type: 'http-async', configuration, ...rest };
  const response = await fetch(`${mock.addresses.management}/agents/demo-agent-mk3`, {
    method: 'PUT',
    headers: json(),
    body: JSON.stringify({
      metadata: { name: 'demo-agent-mk3' },
      spec: { runtime: { generation: 'mk3' }, triggers: [trigger] },
    }),
  });
  const { spec } = (await response.json()) as { spec: { triggers: [{ configuration: { callbackSecret: string } }] } };
  return spec.triggers[0].configuration?.callbackSecret;
}

async function callTrigger(inputs: string, path = 'later', headers: Record<string, string> = json()) {
  const response = await fetch(`${mock.addresses.inference}/demo/agents/demo-agent-mk3/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ inputs }),
  });
  return { status: response.status, body: (await response.json()) as ReturnType<typeof JSON.parse> };
}

async function advance(milliseconds: number): Promise<void> {
  mock.world.clock.advance(milliseconds);
  await mock.world.schedule.settled();
}

test('a request is accepted immediately; its callback is sent at the due virtual time', async () => {
  using hook = await receiver();
  const secret = await putTrigger({ callbackUrl: hook.url });
  const { status, body } = await callTrigger('Sum it up');
  expect([status, body]).toEqual([
    202,
    {
      requestId: expect.any(String),
      status: 'accepted',
      workspace: 'demo',
      agent: 'demo-agent-mk3',
      trigger: 'later',
      callback: { url: hook.url, willBePosted: true },
    },
  ]);
  await advance(499);
  expect(hook.received).toEqual([]);
  await advance(1);
  const [callback] = hook.received;
  expect(callback?.body).toMatchObject({
    requestId: body.requestId,
    agent: 'demo-agent-mk3',
    status: 'succeeded',
    statusCode: 200,
    body: { output: expect.stringContaining('Sum it up') },
    completedAt: '2026-11-21T07:00:30.500Z',
  });
  const timestamp = callback?.headers['x-svc-timestamp'];
  const signed = createHmac('sha256', secret)
    .update(`${String(timestamp)}.${callback?.text}`)
    .digest('hex');
  expect([timestamp, callback?.headers['x-svc-signature']]).toEqual([
    String(Math.floor(START / 1000)),
    `sha256=${signed}`,
  ]);
  await advance(3_600_000);
  expect(hook.received.length).toBe(1);
});

describe('retries', () => {
  test('a callback without a 2xx response is retried with growing delays', async () => {
    using hook = await receiver(500, 302, 204);
    await putTrigger({ callbackUrl: hook.url, retry: 5 });
    await callTrigger('Hi');
    for (const [milliseconds, count] of [
      [500, 1],
      [999, 1],
      [1, 2],
      [1999, 2],
      [1, 3],
      [3_600_000, 3],
    ] as const) {
      await advance(milliseconds);
      expect(hook.received.length).toBe(count);
    }
    expect(hook.received.map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2', '3']);
    expect(mock.world.inference.requests[0]?.attempts.map(({ status }) => status)).toEqual([500, 302, 204]);
  });

  test.each([
    [undefined, 1],
    [0, 1],
    [-3, 1],
    [2, 3],
    [1_000_000, 11],
  ])('retry %j is %i attempts, in one leap of the clock too', async (retry, attempts) => {
    using hook = await receiver(503);
    await putTrigger({ callbackUrl: hook.url, ...(retry !== undefined && { retry }) });
    await callTrigger('Hi');
    await advance(86_400_000);
    await expect.poll(() => mock.world.inference.requests[0]?.callback?.dueAt).toBeUndefined();
    expect(hook.received.length).toBe(attempts);
  });

  test('an unreachable receiver is retried as often', async () => {
    const { port, [Symbol.dispose]: close } = await receiver();
    close();
    await putTrigger({ callbackUrl: `http://127.0.0.1:${port}/`, retry: 1 });
    await callTrigger('Hi');
    await advance(86_400_000);
    await expect.poll(() => mock.world.inference.requests[0]?.attempts.length).toBe(2);
    expect(mock.world.inference.requests[0]?.attempts[0]?.error).toContain('ECONNREFUSED');
  });
});

test('failures are posted too', async () => {
  using hook = await receiver();
  await putTrigger({ callbackUrl: hook.url });
  expect((await callTrigger('fail now')).status).toBe(202);
  await advance(500);
  expect(hook.received[0]?.body).toMatchObject({
    status: 'failed',
    statusCode: 500,
    body: { error: 'broken', code: 500, message: 'It broke.' },
  });
});

test('an agent that exceeds the timeout fails at the timeout', async () => {
  using hook = await receiver();
  await putTrigger({ callbackUrl: hook.url, timeout: 10 });
  await callTrigger('long work');
  await advance(9_999);
  expect(hook.received.length).toBe(0);
  await advance(1);
  expect(hook.received[0]?.body).toMatchObject({ status: 'failed', statusCode: 504, body: { error: 'timed_out' } });
});

test('a host name below .localhost is reachable', async () => {
  using hook = await receiver();
  await putTrigger({ callbackUrl: `http://hooks.localhost:${hook.port}/` });
  await callTrigger('Hi');
  await advance(500);
  expect(hook.received.length).toBe(1);
});

describe('callback URLs', () => {
  test.each([
    'http://127.0.0.1:9/x',
    'https://localhost/x',
    'http://[::1]:9/',
    'http://a.localhost/',
    'https://hooks.shop.example/in',
  ])('%s is posted to', (url) => {
    expect(refusalOf(url, policy)).toBeUndefined();
  });

  test.each([
    'http://hooks.shop.example/in',
    'https://hooks.shop.example:8443/',
    'http://169.254.169.254/latest',
    'http://localhost.example.com/',
    'http://127.0.0.1@example.com/',
    'file:///etc/passwd',
    'nonsense',
    '//127.0.0.1/',
  ])('%s is not', (url) => {
    expect(refusalOf(url, policy)).toEqual(expect.any(String));
  });

  test('the response reports that no callback will be sent', async () => {
    await putTrigger({ callbackUrl: 'https://example.com/hook' });
    const { status, body } = await callTrigger('Hi');
    expect([status, body.callback]).toEqual([
      202,
      {
        url: 'https://example.com/hook',
        willBePosted: false,
        reason: "https://example.com is neither loopback nor among the world file's callbackOrigins",
      },
    ]);
    await advance(86_400_000);
    expect(mock.world.inference.requests[0]?.attempts).toEqual([]);
  });
});

describe('trigger URLs', () => {
  test('a trigger with a path is served at that path, including slashes, not at its id', async () => {
    await putTrigger({ path: '/in/box/' });
    expect((await callTrigger('Hi', 'in/box')).status).toBe(202);
    expect((await callTrigger('Hi', 'later')).status).toBe(404);
  });

  test('an http trigger returns the response of the agent', async () => {
    await putTrigger({ path: 'ask' }, { type: 'http' });
    const { status, body } = await callTrigger('Hi', 'ask');
    expect([status, body.output]).toEqual([200, expect.stringContaining('You said: "Hi"')]);
  });

  test('a disabled trigger does not serve, and a cron trigger has no URL', async () => {
    await putTrigger({}, { enabled: false });
    expect((await callTrigger('Hi')).body).toMatchObject({ error: 'not_serving', code: 503 });
    await putTrigger({ schedule: '* * * * *' }, { type: 'cron' });
    expect((await callTrigger('Hi')).status).toBe(404);
  });

  test('a trigger of a private agent requires a credential', async () => {
    expect((await callTrigger('Hi', 'later', { 'content-type': 'application/json' })).status).toBe(401);
  });
});

test('pending callbacks are plain data and continue in a restored world', async () => {
  using hook = await receiver();
  await putTrigger({ callbackUrl: hook.url });
  await callTrigger('Hi');
  const saved = JSON.parse(JSON.stringify(mock.world.inference)) as typeof mock.world.inference;
  expect(saved).toEqual(mock.world.inference);
  await using other = await startMock({ clock: 'frozen', now: START });
  Object.assign(other.world.inference, saved);
  other.world.schedule.wake();
  other.world.clock.advance(500);
  await other.world.schedule.settled();
  expect(hook.received.length).toBe(1);
});

test('a closed mock sends no more callbacks', async () => {
  using hook = await receiver();
  await putTrigger({ callbackUrl: hook.url });
  await callTrigger('Hi');
  await mock.close();
  await advance(500);
  expect(hook.received).toEqual([]);
});
