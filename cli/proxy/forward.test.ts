/** Requests and answers pass as they come, whatever they are, and each is told when it is over. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createCopyBudget } from './body-copy.ts';
import type { ForwardedExchange, ForwardOptions } from './forward.ts';
import { forwardTo, MAX_HEADER_BYTES } from './forward.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES }, listener).listen(0, '127.0.0.1');
  opened.push(
    () => void server.close(),
    () => server.closeAllConnections(),
  );
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Between {
  readonly port: number;
  readonly target: number;
  /** The next exchange that is over. */
  readonly next: () => Promise<ForwardedExchange>;
}

/** A proxy before a target, which is known to it by that name. */
async function between(
  target: RequestListener | number,
  name = '127.0.0.1',
  options?: ForwardOptions,
): Promise<Between> {
  const to = typeof target === 'number' ? target : await serve(target);
  const waiting = [Promise.withResolvers<ForwardedExchange>()];
  let taken = 0;
  const forwarding = forwardTo(
    `http://${name}:${to}`,
    (passed) => {
      waiting.at(-1)?.resolve(passed);
      waiting.push(Promise.withResolvers<ForwardedExchange>());
    },
    options,
  );
  opened.push(forwarding.close);
  const next = async (): Promise<ForwardedExchange> => {
    const passed = await waiting[taken]?.promise;
    taken += 1;
    if (passed === undefined) throw new Error('Nothing was waited for.');
    return passed;
  };
  return { port: await serve(forwarding.listener), target: to, next };
}

function send(port: number, options: http.RequestOptions, body?: string | Buffer): http.ClientRequest {
  const request = http.request({ port, host: '127.0.0.1', agent: false, ...options });
  request.end(body);
  return request;
}

async function answerTo(request: http.ClientRequest): Promise<{ answer: IncomingMessage; bytes: Buffer }> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, bytes: await buffer(answer) };
}

/** Answers with what came. */
const echo: RequestListener = async (request, response) => {
  const body = await buffer(request);
  const { method, url, rawHeaders } = request;
  response.end(JSON.stringify({ method, url, rawHeaders, body: body.toString('latin1') }));
};

interface Echo {
  method: string;
  url: string;
  rawHeaders: string[];
  body: string;
}

async function echoed(request: http.ClientRequest): Promise<Echo> {
  return JSON.parse((await answerTo(request)).bytes.toString()) as Echo;
}

const asIs: RequestListener = (_, response) => {
  response.sendDate = false;
  response.writeHead(200, 'Quite So', ['X-B', '1', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Content-Type', 'x/y']);
  response.end(Buffer.of(0, 255, 10));
};

describe('a request', () => {
  test('is forwarded with its method, address, headers and bytes, except Host and hop-by-hop headers', async () => {
    const { port, target } = await between(echo);
    const headers = [
      'hOST',
      'proxy',
      'X-Twice',
      'a',
      'x-twice',
      'b',
      'Content-Length',
      '3',
      'Connection',
      'X-Hop',
      'X-Hop',
      '1',
    ];
    const path = "/a//b/../%2e%2e/%7e?q=%20&q='[]";
    const passed = await echoed(send(port, { method: 'PUT', path, headers }, Buffer.of(0xff, 0x7b, 0)));
    expect(passed).toMatchObject({ method: 'PUT', url: path, body: '\xff{\0' });
    expect(passed.rawHeaders.join('|')).toBe(
      `Host|127.0.0.1:${target}|X-Twice|a|x-twice|b|Content-Length|3|Via|1.1 assay|Connection|keep-alive`,
    );
  });

  test('without a body passes without one', async () => {
    const { port } = await between(echo);
    const get = await echoed(send(port, { path: '/' }));
    expect(get.rawHeaders.join('|')).not.toMatch(/Content-Length|Transfer-Encoding/i);
    const post = await echoed(send(port, { method: 'POST', path: '/', headers: ['Host', 'x', 'Content-Length', '0'] }));
    expect(post).toMatchObject({ body: '', method: 'POST' });
    expect(post.rawHeaders.join('|')).toMatch(/Content-Length\|0/);
  });

  test('passes piece by piece', async () => {
    const pieces: PromiseWithResolvers<string>[] = [Promise.withResolvers(), Promise.withResolvers()];
    let count = 0;
    const { port } = await between((request, response) => {
      request.on('data', (piece: Buffer) => pieces[count++]?.resolve(piece.toString()));
      request.on('end', () => response.end());
    });
    const request = http.request({
      port,
      host: '127.0.0.1',
      agent: false,
      method: 'DELETE',
      headers: { 'transfer-encoding': 'chunked' },
    });
    request.write('first');
    expect(await pieces[0]?.promise).toBe('first');
    request.end('second');
    expect(await pieces[1]?.promise).toBe('second');
    await answerTo(request);
  });

  test('goes to a name below .localhost, which is loopback, and to a host with that name', async () => {
    const { port, target } = await between(echo, 'sbx-a-b.local.localhost');
    const { rawHeaders } = await echoed(send(port, { path: '/' }));
    expect(rawHeaders.slice(0, 2)).toEqual(['Host', `sbx-a-b.local.localhost:${target}`]);
  });

  test('reaches a name of two addresses if this process is too busy to notice the connection at once', async () => {
    const target = await serve(echo);
    const { listener, close } = forwardTo(`http://a.localhost:${target}`, () => {});
    opened.push(close);
    const port = await serve((request, response) => {
      listener(request, response);
      // Longer than Node by default waits for each of several addresses.
      setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400));
    });
    expect((await answerTo(send(port, { path: '/' }))).answer.statusCode).toBe(200);
  });

  test('is repeated on a new connection if a kept-alive one was closed', async () => {
    const seen = new WeakSet<object>();
    const { port, next } = await between((request, response) => {
      if (seen.has(request.socket)) request.socket.destroy();
      seen.add(request.socket);
      response.end('here');
    });
    for (const _ of [1, 2]) {
      expect((await answerTo(send(port, { path: '/' }))).bytes.toString()).toBe('here');
      expect(await next()).not.toHaveProperty('failure');
    }
  });
});

describe('an upload', () => {
  const upload = Buffer.alloc(20_000_000, 'a');

  test('that is refused at its first bytes gets the refusal', async () => {
    const { port, next } = await between((request, response) => {
      request.once('data', () => response.writeHead(413).end());
    });
    const agent = new http.Agent({ keepAlive: true });
    opened.push(() => agent.destroy());
    const { answer } = await answerTo(send(port, { method: 'PUT', path: '/', agent }, upload));
    expect(answer.statusCode).toBe(413);
    expect(await next()).not.toHaveProperty('failure');
  });

  test('has its own connection', async () => {
    const seen = new Set<object>();
    const { port } = await between((request, response) => {
      seen.add(request.socket);
      request.resume().once('end', () => response.end());
    });
    for (const _ of [1, 2]) await answerTo(send(port, { method: 'PUT', path: '/' }, 'a'));
    expect(seen.size).toBe(2);
  });

  test.each([
    ['answers', 'HTTP/1.1 413 Long\r\nContent-Length: 0\r\n\r\n', '413 Long'],
    ['says nothing', '', '502 Bad Gateway'],
  ])('is sent completely if the target %s and disconnects, and reported as truncated', async (_, says, status) => {
    let leave = (): unknown => undefined;
    const target = net.createServer((socket) => {
      socket.on('error', () => {}); // What comes after it has left.
      socket.once('readable', () => {
        if (says === '') socket.destroy();
        else socket.write(says);
      });
      leave = () => socket.destroy();
    });
    target.listen(0, '127.0.0.1');
    opened.push(() => void target.close());
    await once(target, 'listening');
    const { port, next } = await between((target.address() as AddressInfo).port);
    const client = net.connect(port, '127.0.0.1');
    opened.push(() => client.destroy());
    const written = Promise.withResolvers<unknown>();
    client.write(`PUT / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${upload.length + 1}\r\n\r\na`);
    const { body } = await next();
    expect(body.describeProblem(undefined)).toBe('it is incomplete');
    leave();
    client.write(upload, written.resolve);
    await written.promise;
    const [head] = (await once(client, 'data')) as [Buffer];
    expect(head.toString()).toMatch(`HTTP/1.1 ${status}\r\n`);
  });
});

describe('an answer', () => {
  test('passes with its status line, headers and bytes', async () => {
    const { port, next } = await between(asIs);
    const { answer, bytes } = await answerTo(send(port, { path: '/' }));
    expect(answer).toMatchObject({ statusCode: 200, statusMessage: 'Quite So' });
    expect(answer.rawHeaders.slice(0, 8)).toEqual([
      'X-B',
      '1',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'Content-Type',
      'x/y',
    ]);
    expect(answer.headers).not.toHaveProperty('date');
    expect([...bytes]).toEqual([0, 255, 10]);
    expect(await next()).toMatchObject({ method: 'GET', url: '/', response: { status: 200, isComplete: true } });
  });

  test('passes compressed, and is read uncompressed', async () => {
    const packed = gzipSync('{"a":1}');
    const { port, next } = await between((_, response) => {
      response.setHeader('content-encoding', 'gzip').end(packed);
    });
    expect((await answerTo(send(port, { path: '/' }))).bytes.equals(packed)).toBe(true);
    expect((await next()).response?.body.text('gzip')).toBe('{"a":1}');
  });

  test.each([
    ['HEAD', 200, { 'content-length': '17' }],
    ['GET', 204, {}],
    ['GET', 304, { etag: '"a"' }],
  ])('to %s of %i passes without a body', async (method, status, headers) => {
    const { port, next } = await between((_, response) => void response.writeHead(status, headers).end());
    const { answer, bytes } = await answerTo(send(port, { method, path: '/' }));
    expect(answer.statusCode).toBe(status);
    expect(answer.headers).toMatchObject(headers);
    expect(bytes).toHaveLength(0);
    expect((await next()).response).toMatchObject({ status, isComplete: true });
  });

  test('passes piece by piece, its head before the first', async () => {
    let stream: ServerResponse | undefined;
    const { port, next } = await between((_, response) => {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream' });
      stream.flushHeaders();
    });
    const [answer] = (await once(send(port, { path: '/' }), 'response')) as [IncomingMessage];
    const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
      stream?.write(piece);
      expect(String((await pieces.next()).value)).toBe(piece);
    }
    stream?.end();
    expect((await pieces.next()).done).toBe(true);
    expect((await next()).response?.isComplete).toBe(true);
  });

  test('that the target aborts is aborted, and reported as such', async () => {
    const { port, next } = await between((_, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy());
    });
    const [answer] = (await once(send(port, { path: '/' }), 'response')) as [IncomingMessage];
    await expect(buffer(answer)).rejects.toThrow('aborted');
    const { response: ended, failure } = await next();
    expect({ isComplete: ended?.isComplete, failure }).toEqual({
      isComplete: false,
      failure: 'the response was aborted: aborted',
    });
  });

  test('of an unreachable target is 502 with the reason', async () => {
    const free = http.createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port: nobody } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const { port, next } = await between(nobody);
    const { answer, bytes } = await answerTo(send(port, { method: 'POST', path: '/' }, '{'));
    expect(answer.statusCode).toBe(502);
    expect(JSON.parse(bytes.toString())).toEqual({
      error: 'target_unreachable',
      code: 502,
      message: `http://127.0.0.1:${nobody} returned no response (ECONNREFUSED).`,
    });
    const ended = await next();
    expect(ended.failure).toBe('no response (ECONNREFUSED)');
    expect(ended).not.toHaveProperty('response');
  });
});

describe('a client that leaves', () => {
  test.each(['before the response', 'in the middle of it'])('%s aborts the request to the target', async (when) => {
    const left = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const { port, next } = await between((_, response) => {
      response.once('close', left.resolve);
      if (when !== 'before the response') response.write('begins');
      arrived.resolve();
    });
    const request = send(port, { path: '/' });
    request.on('error', () => {}); // It is us who leave.
    await arrived.promise;
    if (when !== 'before the response') await once(request, 'response');
    request.destroy();
    await left.promise;
    const { response, failure } = await next();
    expect({ isComplete: response?.isComplete, failure }).toEqual({
      isComplete: when === 'before the response' ? undefined : false,
      failure: undefined,
    });
  });
});

/** A target that answers every request with these bytes, and then leaves. */
async function sayingRaw(bytes: string): Promise<number> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {}); // The proxy may leave first.
    socket.once('data', () => socket.end(bytes, 'latin1'));
  });
  server.listen(0, '127.0.0.1');
  opened.push(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('an invalid response', () => {
  const ok = 'HTTP/1.1 200 OK\r\n';
  const end = 'Content-Length: 2\r\n\r\nok';

  test.each([
    ['nothing at all', '', /^no response/],
    ['bytes that are no HTTP', '\0\x01\xff\r\n\r\n', /cannot be forwarded \(HPE_/],
    ['half a head', 'HTTP/1.1 200 OK\r\nX-', /^no response/],
    ['a status below 100', `HTTP/1.1 099 Low\r\n${end}`, /Invalid status code: 99/],
    ['the status 000', `HTTP/1.1 000 None\r\n${end}`, /Invalid status code: 0/],
    ['a status of four digits', `HTTP/1.1 1000 High\r\n${end}`, /HPE_/],
    ['a status that is no number', `HTTP/1.1 abc Odd\r\n${end}`, /HPE_/],
    ['101 that nobody asked for', 'HTTP/1.1 101 Switch\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', /not requested/],
    ['101 without a protocol', `HTTP/1.1 101 Switch\r\n\r\n${ok}${end}`, /not requested/],
    ['nothing behind 199', 'HTTP/1.1 199 Later\r\n\r\n', /^no response/],
    ['a control character in a header', `${ok}X-A: a\x01b\r\n${end}`, /cannot be forwarded/],
    ['DEL in a header', `${ok}X-A: a\x7fb\r\n${end}`, /cannot be forwarded/],
    ['DEL in the reason', `HTTP/1.1 200 O\x7fK\r\n${end}`, /cannot be forwarded/],
    ['a header whose name is no token', `${ok}X A: b\r\n${end}`, /HPE_/],
    ['two lengths', `${ok}Content-Length: 1\r\n${end}`, /HPE_/],
    ['a head beyond every limit', `${ok}X-A: ${'a'.repeat(2 * MAX_HEADER_BYTES)}\r\n${end}`, /HPE_HEADER_OVERFLOW/],
  ])('%s causes 502, and the proxy continues', async (_, bytes, why) => {
    const { port, next } = await between(await sayingRaw(bytes));
    for (const method of ['GET', 'POST']) {
      const { answer, bytes: body } = await answerTo(send(port, { method, path: '/' }));
      expect(answer.statusCode).toBe(502);
      const { message } = JSON.parse(body.toString()) as { message: string };
      const ended = await next();
      expect(ended.failure).toMatch(why);
      expect(message).toContain(` returned ${ended.failure}.`);
      expect(ended).not.toHaveProperty('response');
    }
  });

  test('but fails in its body is aborted', async () => {
    const { port, next } = await between(await sayingRaw(`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nxyz`));
    const [answer] = (await once(send(port, { path: '/' }), 'response')) as [IncomingMessage];
    await expect(buffer(answer)).rejects.toThrow('aborted');
    expect((await next()).failure).toMatch(/^the response was aborted/);
  });
});

test('headers of 30 kB pass in both directions, bytes beyond ASCII as they are', async () => {
  const long = 'a'.repeat(30_000);
  const target = await sayingRaw(`HTTP/1.1 200 OK\r\nX-Long: ${long}\r\nX-High: \xe9\r\nContent-Length: 0\r\n\r\n`);
  const { port } = await between(target);
  const { answer } = await answerTo(send(port, { path: '/', headers: { 'x-long': long }, maxHeaderSize: 40_000 }));
  expect(answer.statusCode).toBe(200);
  expect([answer.headers['x-long']?.length, answer.headers['x-high']]).toEqual([30_000, '\xe9']);
});

test('bodies are copied while there is memory for them, which an exchange gives back', async () => {
  const proxy = await between((_, response) => void response.end('a'.repeat(900)), '127.0.0.1', {
    copies: createCopyBudget(1000),
  });
  for (const [path, sent, sentCopied, received] of [
    ['/a', 'b'.repeat(50), 50, 900],
    ['/b', 'b'.repeat(200), 200, undefined],
    ['/c', 'b'.repeat(1001), undefined, 900],
    ['/d', 'b'.repeat(50), 50, 900],
  ] as const) {
    await answerTo(send(proxy.port, { path, method: 'POST' }, sent));
    const { body, response } = await proxy.next();
    expect([path, body.text(undefined)?.length, response?.body.text(undefined)?.length]).toEqual([
      path,
      sentCopied,
      received,
    ]);
  }
});
