import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { retryAfterSeconds } from './retry-delay.ts';
import { createTransport, HarnessError, wasNeverSent } from './transport.ts';

async function sent(method: string, origin: string, options: Partial<Parameters<typeof createTransport>[0]> = {}) {
  const transport = createTransport({ rate: 0, ...options });
  try {
    return await transport.send({ method, origin, path: '/a/../b?q=%2F', headers: { 'X-Odd-Case': ['1', '2'] } });
  } finally {
    await transport.close();
  }
}

test('path, query and header names are sent unchanged', async () => {
  await using server = await localServer(() => ({ body: 'hello' }));
  const response = await sent('GET', server.address);
  expect(response).toMatchObject({ status: 200, text: 'hello', repeatedAfter: [] });
  expect(server.received[0]?.url).toBe('/a/../b?q=%2F');
  expect(server.received[0]?.rawHeaders.filter((word) => word === 'X-Odd-Case')).toHaveLength(2);
});

test('every request says who sends it', async () => {
  await using server = await localServer(() => ({}));
  await sent('GET', server.address);
  expect(server.received[0]?.headers['user-agent']).toBe('assay');
});

test('a response may have many cookies', async () => {
  const cookie = 'x'.repeat(24 * 1024);
  await using server = await localServer(() => ({ headers: { 'set-cookie': cookie } }));
  expect((await sent('GET', server.address)).headers['set-cookie']).toBe(cookie);
});

test('a request after stop was never sent, one that is refused by the network may have been', async () => {
  await using server = await localServer(() => 'break');
  const transport = createTransport({ rate: 0 });
  const request = { method: 'POST', origin: server.address, path: '/', headers: {} };
  const broken = await transport.send(request).catch((error: unknown) => error);
  transport.stop();
  const stopped = await transport.send(request).catch((error: unknown) => error);
  await transport.close();
  expect([wasNeverSent(broken), wasNeverSent(stopped)]).toEqual([false, true]);
  expect(wasNeverSent(new Error('around it', { cause: stopped }))).toBe(true);
  expect(server.received).toHaveLength(1);
});

test('a request whose second attempt was never sent may have had its effect', async () => {
  const transport = createTransport({ rate: 1 });
  await using server = await localServer(() => {
    transport.stop();
    return 'break';
  });
  const request = { method: 'PUT', origin: server.address, path: '/', headers: {} };
  const failure = await transport.send(request).catch((error: unknown) => error);
  await transport.close();
  expect([failure instanceof HarnessError, wasNeverSent(failure), server.received.length]).toEqual([true, false, 1]);
});

test('a GET is repeated once after a broken connection', async () => {
  let count = 0;
  await using server = await localServer(() => ((count += 1) === 1 ? 'break' : {}));
  expect(await sent('GET', server.address)).toMatchObject({ status: 200, repeatedAfter: ['no response'] });
});

test('a POST is not repeated after a broken connection', async () => {
  await using server = await localServer(() => 'break');
  await expect(sent('POST', server.address)).rejects.toBeInstanceOf(HarnessError);
  expect(server.received).toHaveLength(1);
});

test('two broken connections are a harness error', async () => {
  await using server = await localServer(() => 'break');
  await expect(sent('GET', server.address)).rejects.toBeInstanceOf(HarnessError);
  expect(server.received).toHaveLength(2);
});

test('an idempotent request is repeated for a while if a server that has responded does not respond to any', async () => {
  let count = 0;
  await using server = await localServer(() => ((count += 1) > 1 && count < 5 ? 'break' : {}));
  const transport = createTransport({ rate: 0 });
  const get = { method: 'GET', origin: server.address, path: '/', headers: {} };
  await transport.send(get);
  expect(await transport.send(get)).toMatchObject({
    status: 200,
    repeatedAfter: ['no response', 'no response', 'no response'],
  });
  await transport.close();
});

test('an idempotent request is sent twice if the server responds to others meanwhile', async () => {
  await using server = await localServer(async ({ url }) => (url === '/odd' ? (await wait(50), 'break') : {}));
  const transport = createTransport({ rate: 0 });
  const get = (path: string) => transport.send({ method: 'GET', origin: server.address, path, headers: {} });
  await get('/');
  const odd = get('/odd').catch((error: unknown) => error);
  await get('/');
  expect(await odd).toBeInstanceOf(HarnessError);
  expect(server.received.filter(({ url }) => url === '/odd')).toHaveLength(2);
  await transport.close();
});

/** Milliseconds. As long as a rolling restart may take, and longer. */
const [RESTART_MS, CRASH_MS] = [14_000, 16_000];

test('a request is sent once if connections have been refused for long, and repeated as before after a response', async () => {
  let refusalCount = 0;
  let onRefusal = (): void => {};
  const count = (): void => {
    refusalCount += 1;
    onRefusal();
  };
  subscribe('undici:client:connectError', count);
  vi.useFakeTimers({ toFake: ['performance'] });
  const transport = createTransport({ rate: 0 });
  let server = await localServer(() => ({}));
  const { address: origin, port } = server;
  const send = (method: string) => transport.send({ method, origin, path: '/', headers: {} });
  const crash = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await wait(50); // until the transport knows that its connection is closed
  };
  const listenAgain = async (): Promise<void> => void (server = await localServer(() => ({}), port));
  /** The connections that are refused before the request fails. */
  const refusals = async (method: string): Promise<number> => {
    refusalCount = 0;
    await expect(send(method)).rejects.toThrow('ECONNREFUSED');
    return refusalCount;
  };
  try {
    await send('GET');
    // A silence is no outage.
    vi.advanceTimersByTime(CRASH_MS);
    await crash();
    expect(await refusals('POST')).toBe(1);
    vi.advanceTimersByTime(RESTART_MS);
    [refusalCount, onRefusal] = [0, () => refusalCount === 2 && void listenAgain()];
    const { status, repeatedAfter } = await send('GET');
    expect([status, repeatedAfter.slice(0, 2)]).toEqual([200, ['no response', 'no response']]);
    onRefusal = () => {};
    await crash();
    vi.advanceTimersByTime(CRASH_MS);
    expect(await refusals('POST')).toBe(1);
    vi.advanceTimersByTime(CRASH_MS);
    expect([await refusals('GET'), await refusals('PUT')]).toEqual([1, 1]);
  } finally {
    vi.useRealTimers();
    unsubscribe('undici:client:connectError', count);
    await transport.close();
  }
});

test('a missing response is a harness error', async () => {
  await using server = await localServer(() => ({ headers: { 'Content-Length': '10' }, body: 'short' }));
  await expect(sent('POST', server.address, { timeoutSeconds: 0.2 })).rejects.toBeInstanceOf(HarnessError);
});

test('the error of a slow response names the time that it had', async () => {
  await using server = await localServer(() => new Promise(() => {}));
  const message = (limits: object) => sent('POST', server.address, limits).catch((error: Error) => error.message);
  expect(await message({ timeoutSeconds: 0.2 })).toContain('no response within 0.2 s');
  expect(await message({ deadlineSeconds: 0.2 })).toContain('no complete response within 0.2 s');
});

test('endless 429 responses are a harness error', async () => {
  await using server = await localServer(() => ({ status: 429, headers: { 'Retry-After': '3600' } }));
  await expect(sent('GET', server.address)).rejects.toThrow('429');
});

test('Retry-After is respected up to its limit', async () => {
  let count = 0;
  await using server = await localServer(() =>
    (count += 1) === 1 ? { status: 429, headers: { 'Retry-After': '1' } } : {},
  );
  expect((await sent('POST', server.address)).status).toBe(200);
});

test('a 429 without Retry-After is repeated with a backoff', async () => {
  let count = 0;
  await using server = await localServer(() => ((count += 1) < 3 ? { status: 429 } : {}));
  expect((await sent('POST', server.address)).status).toBe(200);
  expect(server.received).toHaveLength(3);
});

test('a Retry-After of 0 is repeated with a backoff', async () => {
  let count = 0;
  await using server = await localServer(() =>
    (count += 1) < 5 ? { status: 429, headers: { 'Retry-After': '0' } } : {},
  );
  expect((await sent('POST', server.address)).status).toBe(200);
  expect(server.received).toHaveLength(5);
});

test('a client error with Retry-After is repeated after that time', async () => {
  let count = 0;
  await using server = await localServer(() =>
    (count += 1) === 1 ? { status: 403, headers: { 'Retry-After': '1' } } : {},
  );
  const start = performance.now();
  expect((await sent('POST', server.address)).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThan(900);
});

test('a client error that lasts is returned, and later at once', async () => {
  await using server = await localServer(() => ({ status: 403, headers: { 'Retry-After': '0' } }));
  const transport = createTransport({ rate: 0 });
  const send = async () => (await transport.send({ ...request, origin: server.address })).status;
  expect(await send()).toBe(403);
  const count = server.received.length;
  expect(count).toBeGreaterThan(1);
  expect([await send(), server.received.length]).toEqual([403, count + 1]);
  await transport.close();
});

test('a connection that a gateway refuses is opened again, for a POST and for a stream', async () => {
  let count = 0;
  await using server = await localServer(() =>
    (count += 1) % 2 === 1 ? { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>503</h1>' } : {},
  );
  const transport = createTransport({ rate: 0 });
  const request = { method: 'POST', origin: server.address, path: '/', headers: {} };
  const [whole, stream] = [await transport.send(request), await transport.open(request)];
  stream.disconnect();
  await transport.close();
  expect([whole.status, stream.status, count]).toEqual([200, 200, 4]);
});

test('504 is returned if the request may have had an effect, and otherwise sent again', async () => {
  await using server = await localServer(() => (server.received.length === 3 ? { status: 204 } : { status: 504 }));
  expect((await sent('POST', server.address)).status).toBe(504);
  expect((await sent('PUT', server.address)).status).toBe(204);
});

test.each([408, 421, 425])('%d is repeated at once on a new connection', async (status) => {
  let count = 0;
  await using server = await localServer(() => ((count += 1) === 1 ? { status } : {}));
  expect(await sent('POST', server.address)).toMatchObject({ status: 200, repeatedAfter: [] });
  const ports = server.received.map(({ port }) => port);
  expect(ports).toHaveLength(2);
  expect(new Set(ports).size).toBe(2);
});

test('a 408 on a new connection is returned', async () => {
  await using server = await localServer(() => ({ status: 408 }));
  expect((await sent('GET', server.address)).status).toBe(408);
  expect(server.received).toHaveLength(2);
});

test('requests accept only the identity encoding', async () => {
  await using server = await localServer(() => ({}));
  await sent('GET', server.address);
  expect(server.received[0]?.headers['accept-encoding']).toBe('identity');
});

test('a body with a content coding is decoded nevertheless', async () => {
  const headers = { 'Content-Encoding': 'gzip' };
  await using server = await localServer(() => ({ headers, body: gzipSync('{"values":[]}') }));
  expect((await sent('GET', server.address)).text).toBe('{"values":[]}');
});

test('Retry-After is parsed as seconds or as a date', () => {
  const now = Date.parse('2026-10-01T00:00:00Z');
  expect(retryAfterSeconds('7', now)).toBe(7);
  expect(retryAfterSeconds('Thu, 01 Oct 2026 00:00:09 GMT', now)).toBe(9);
  expect(retryAfterSeconds('soon', now)).toBe(0);
  expect(retryAfterSeconds(undefined, now)).toBe(0);
});

test('names below .localhost resolve to loopback', async () => {
  await using server = await localServer(() => ({ body: 'here' }));
  expect((await sent('GET', `http://sbx-demo.local.localhost:${server.port}`)).text).toBe('here');
});

test.each(['send', 'open'] as const)('at 50 requests per second, five calls of %s take at least 80 ms', async (way) => {
  await using server = await localServer(() => ({}));
  const transport = createTransport({ rate: 50 });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: 5 }, () => transport[way]({ method: 'GET', origin: server.address, path: '/', headers: {} })),
  );
  expect(performance.now() - started).toBeGreaterThanOrEqual(79);
  await transport.close();
});

const request = { method: 'GET', path: '/', headers: {} };

test('a stream is retried and respects Retry-After like any request', async () => {
  let count = 0;
  await using server = await localServer(() => {
    count += 1;
    if (count === 1) return { status: 429, headers: { 'Retry-After': '1' }, body: 'later' };
    return count === 2 ? 'break' : { body: 'now' };
  });
  const transport = createTransport({ rate: 1000 });
  const response = await transport.open({ ...request, origin: server.address });
  expect(response).toMatchObject({ status: 200, repeatedAfter: ['no response'] });
  expect(server.received).toHaveLength(3);
  await transport.close();
});

test('endless 429 responses to a stream are a harness error', async () => {
  await using server = await localServer(() => ({ status: 429 }));
  const transport = createTransport({ rate: 0 });
  await expect(transport.open({ ...request, origin: server.address })).rejects.toThrow('429');
  await transport.close();
});

test('the number of open streams is limited, and an ended stream frees its place', async () => {
  await using server = await localServer(() => ({ body: 'a' }));
  const transport = createTransport({ rate: 0, streams: 2, timeoutSeconds: 0.5 });
  const open = () => transport.open({ ...request, origin: server.address });
  const [first] = [await open(), await open()];
  await expect(open()).rejects.toThrow('too many streams are open');
  first.disconnect();
  await expect.poll(open).toMatchObject({ status: 200 });
  await transport.close();
});

test('after stop nothing is sent and waiting requests are rejected', async () => {
  await using server = await localServer(() => ({ status: 429, headers: { 'Retry-After': '20' } }));
  const transport = createTransport({ rate: 0 });
  const waiting = transport.send({ ...request, origin: server.address });
  await expect.poll(() => server.received.length).toBe(1);
  transport.stop();
  await expect(waiting).rejects.toThrow('interrupted');
  await expect(transport.open({ ...request, origin: server.address })).rejects.toBeInstanceOf(HarnessError);
  expect(server.received).toHaveLength(1);
  await transport.close();
});

test('requests that are sent at the same time all get through a rate limit', async () => {
  let count = 0;
  let until = 0;
  await using server = await localServer(() => {
    const now = performance.now();
    if (now >= until) [count, until] = [0, now + 200];
    return (count += 1) <= 5 ? {} : { status: 429 };
  });
  const transport = createTransport({ rate: 0, concurrency: 16 });
  const create = { method: 'POST', origin: server.address, path: '/', headers: {} };
  const responses = await Promise.all(Array.from({ length: 40 }, () => transport.send(create)));
  await transport.close();
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200));
});

test('a stream whose head is still to come does not keep other requests waiting', async () => {
  const heads: (() => void)[] = [];
  await using server = await localServer(async ({ url }) => {
    if (url === '/stream') await new Promise<void>((resolve) => heads.push(resolve));
    else heads.forEach((send) => send());
    return {};
  });
  const transport = createTransport({ rate: 0, concurrency: 1 });
  const get = (path: string) => ({ method: 'GET', origin: server.address, path, headers: {} });
  const stream = transport.open(get('/stream'));
  await expect.poll(() => heads.length).toBe(1);
  expect(await transport.send(get('/write'))).toMatchObject({ status: 200 });
  (await stream).disconnect();
  await transport.close();
});
