import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { mcpSources } from '../../../spec/requirements/mcp-sources.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { functionEndpoint } from './endpoints.ts';
import { startMismatches, succeeded } from './expect.ts';
import type { Message } from './messages.ts';
import type { McpResponse } from './post.ts';
import { HarnessError } from '../../target/transport.ts';
import { startSession, inSession } from './session.ts';
import type { Session } from './session.ts';
import { listTools, listToolsInTime } from '../../mcp/tools.ts';

interface Call {
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
  /** Of a POST. */
  readonly message: Message;
  readonly response: http.ServerResponse;
}

/** A server that responds to initialize correctly, and to everything else with `respond`. */
async function serving(
  respond: (call: Call, received: readonly Call[]) => void,
  more: http.OutgoingHttpHeaders = {},
  begins: () => boolean = () => true,
) {
  const received: Call[] = [];
  const server = http.createServer(async (request, response) => {
    const text = (await request.toArray()).join('');
    const message = text === '' ? {} : (JSON.parse(text) as Message);
    const call = { method: request.method ?? '', headers: request.headers, message, response };
    received.push(call);
    if (message.method === 'initialize' && !begins()) response.destroy();
    else if (message.method === 'initialize') json(response, { id: message.id, result: initialized }, more);
    else if (message.method === 'notifications/initialized') response.writeHead(202).end();
    else if (call.method === 'DELETE') response.writeHead(405).end();
    else respond(call, received);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    seen: received,
    run: openTestRun({ address: `http://127.0.0.1:${port}` }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'odd', version: '1' },
};

function json(response: http.ServerResponse, message: object, headers: http.OutgoingHttpHeaders = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

function events(response: http.ServerResponse): http.ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

const data = (message: object): string => `data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`;

const endpoint = functionEndpoint('tools');
const pinged = (response: McpResponse) =>
  succeeded({ isModern: false }, response, { of: 'ping', source: mcpSources.ping });
const ping = { jsonrpc: '2.0', id: 'of the server', method: 'ping' };

test('every call after initialize carries the session id and the version, until the session ends', async () => {
  await using server = await serving(({ message, response }) => json(response, { id: message.id, result: {} }), {
    'mcp-session-id': 'session-1',
  });
  const found = await inSession(server.run, endpoint, async (session) => [
    ...startMismatches(session),
    ...pinged(await session.request('ping')),
  ]);
  expect(found).toEqual([]);
  const [first, ...others] = server.seen;
  expect(first?.headers).not.toHaveProperty('mcp-session-id');
  expect(others.map(({ method, message }) => message.method ?? method)).toEqual([
    'notifications/initialized',
    'ping',
    'DELETE',
  ]);
  for (const { headers } of others) {
    expect(headers).toMatchObject({ 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-06-18' });
  }
});

/** A server that keeps one session at a time. */
async function keepingOneSession() {
  const kept = { id: 'session-1', begins: true };
  const server = await serving(
    ({ message, headers, response }) => {
      if (headers['mcp-session-id'] === kept.id) json(response, { id: message.id, result: {} });
      else response.writeHead(404).end();
    },
    {
      get 'mcp-session-id'() {
        return kept.id;
      },
    },
    () => kept.begins,
  );
  return {
    ...server,
    kept,
    begun: () => server.seen.filter(({ message }) => message.method === 'initialize').length,
  };
}

const isPinged = async (session: Session) => pinged(await session.request('ping'));
const unknownSession = [{ actual: 'none in status 404, no Content-Type' }];

test('a lost session is renewed once for all requests', async () => {
  await using server = await keepingOneSession();
  await inSession(server.run, endpoint, async (session) => {
    expect(await isPinged(session)).toEqual([]);
    server.kept.id = 'session-2';
    expect(await Promise.all([isPinged(session), isPinged(session)])).toEqual([[], []]);
    expect(session.sessionId).toBe('session-2');
  });
  expect(server.begun()).toBe(2);
  expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-2' } });
});

test('a session is renewed whenever the server ends it', async () => {
  await using server = await keepingOneSession();
  await inSession(server.run, endpoint, async (session) => {
    for (const id of ['session-2', 'session-3', 'session-4', 'session-5', 'session-6']) {
      server.kept.id = id;
      expect(await isPinged(session)).toEqual([]);
    }
  });
  expect(server.begun()).toBe(6);
});

/** A server whose sessions end after so many requests. `isServed`: whether a request is served in an existing session. */
async function endingSessions(maxCount: number, isServed: (method: unknown) => boolean = () => true) {
  let newest = 0;
  const counts = new Map<unknown, number>();
  return serving(
    ({ message, headers, response }) => {
      const id = headers['mcp-session-id'];
      const count = (counts.get(id) ?? 0) + 1;
      counts.set(id, count);
      if (count <= maxCount && isServed(message.method)) json(response, { id: message.id, result: { tools: [] } });
      else response.writeHead(404).end();
    },
    {
      get 'mcp-session-id'() {
        return `${(newest += 1)}`;
      },
    },
  );
}

test('requests at the same time are all served, even if each session ends after one', async () => {
  await using server = await endingSessions(1);
  await inSession(server.run, endpoint, async (session) => {
    const pings = Array.from({ length: 20 }, () => isPinged(session));
    expect((await Promise.all(pings)).flat()).toEqual([]);
  });
});

test('a server whose new sessions never serve a request fails', async () => {
  await using server = await endingSessions(0);
  expect(await inSession(server.run, endpoint, isPinged)).toMatchObject(unknownSession);
});

test('a server that refuses one method with 404 in every session fails', async () => {
  await using server = await endingSessions(Infinity, (method) => method === 'ping');
  await inSession(server.run, endpoint, async (session) => {
    expect(await isPinged(session)).toEqual([]);
    expect((await listTools(session)).mismatches).toMatchObject(unknownSession);
  });
});

test('a server that ends every session from some time on is not tried', async () => {
  let servedCount = 0;
  await using server = await endingSessions(Infinity, () => (servedCount += 1) <= 2);
  await inSession(server.run, endpoint, async (session) => {
    expect(await isPinged(session)).toEqual([]);
    expect(await isPinged(session)).toEqual([]);
    await expect(isPinged(session)).rejects.toThrow(/a session that lasts: the MCP server ended 4 new ones/);
  });
});

test('a list of tools starts again in a new session, in which its cursor is unknown', async () => {
  let isLost = false;
  await using server = await serving(
    ({ message, headers, response }) => {
      const cursor = (message.params as { cursor?: string } | undefined)?.cursor;
      if (headers['mcp-session-id'] === 'lost' && isLost) return void response.writeHead(404).end();
      const name = cursor ?? 'first';
      const result = {
        tools: [{ name, inputSchema: { type: 'object' } }],
        nextCursor: name === 'first' ? 'second' : undefined,
      };
      const isUnknown = cursor !== undefined && headers['mcp-session-id'] === 'kept' && received.length === 0;
      if (!isUnknown && headers['mcp-session-id'] === 'kept') received.push(name);
      json(response, { id: message.id, ...(isUnknown ? { error: { code: -32_602, message: 'cursor' } } : { result }) });
      isLost = true;
    },
    {
      get 'mcp-session-id'() {
        return isLost ? 'kept' : 'lost';
      },
    },
  );
  const received: string[] = [];
  const { tools, mismatches } = await inSession(server.run, endpoint, listTools);
  expect(mismatches).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(['first', 'second']);
});

test('an ended session is not renewed', async () => {
  await using server = await keepingOneSession();
  const session = await startSession(server.run, endpoint);
  await session.end();
  server.kept.id = 'none';
  expect(await isPinged(session)).toMatchObject(unknownSession);
  expect(server.begun()).toBe(1);
});

test('a failed renewal leaves the session unchanged, and the next request tries again', async () => {
  await using server = await keepingOneSession();
  await inSession(server.run, endpoint, async (session) => {
    server.kept.id = 'session-2';
    server.kept.begins = false;
    await expect(Promise.all([isPinged(session), isPinged(session)])).rejects.toThrow(HarnessError);
    expect(session.sessionId).toBe('session-1');
    server.kept.begins = true;
    expect(await isPinged(session)).toEqual([]);
    expect(session.sessionId).toBe('session-2');
  });
});

test('nothing is ended if the server has no sessions', async () => {
  await using server = await serving(({ message, response }) => json(response, { id: message.id, result: {} }));
  await inSession(server.run, endpoint, (session) => session.request('ping'));
  expect(server.seen.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
});

test('events may precede the response, and the stream may stay open after it', async () => {
  await using server = await serving(({ message, response }) => {
    const before = `: hello\n\nid: 1\ndata:\n\n${data({ method: 'notifications/message', params: {} })}`;
    events(response).write(before + data({ id: 99, result: {} }) + data({ id: message.id, result: { late: true } }));
  });
  const { message } = await inSession(server.run, endpoint, (session) => session.request('ping'));
  expect(message).toMatchObject({ result: { late: true } });
});

test('requests of the server get a response before it responds', async () => {
  let waiting: Call | undefined;
  await using server = await serving((call) => {
    if (call.message.method === 'ping') {
      waiting = call;
      events(call.response).write(data(ping) + data({ id: 2, method: 'roots/list' }));
      return;
    }
    call.response.writeHead(202).end();
    if (call.message.id === 2) waiting?.response.end(data({ id: waiting.message.id, result: {} }));
  });
  const response = await inSession(server.run, endpoint, (session) => session.request('ping'));
  expect(pinged(response)).toEqual([]);
  expect(server.seen.map(({ message }) => message)).toContainEqual({ jsonrpc: '2.0', id: 'of the server', result: {} });
  expect(server.seen.map(({ message }) => message)).toContainEqual(
    expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32_601 }) }),
  );
});

test('a stream that ends early is resumed after its last event', async () => {
  let request: unknown;
  await using server = await serving(({ method, message, headers, response }) => {
    if (method === 'POST') {
      request = message.id;
      events(response).end('id: 7\nretry: 1\ndata:\n\n');
    } else events(response).end(headers['last-event-id'] === '7' ? data({ id: request, result: {} }) : '');
  });
  const response = await inSession(server.run, endpoint, (session) => session.request('ping'));
  expect(pinged(response)).toEqual([]);
});

test('tools are listed page by page', async () => {
  await using server = await serving(({ message, response }) => {
    const { cursor } = (message.params ?? {}) as { cursor?: string };
    const tool = { name: cursor ?? 'first', inputSchema: { type: 'object' } };
    const next = { second: undefined, first: 'second' }[cursor ?? 'first'];
    json(response, { id: message.id, result: { tools: [tool], ...(next && { nextCursor: next }) } });
  });
  const { tools, mismatches } = await inSession(server.run, endpoint, listTools);
  expect(mismatches).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(['first', 'second']);
});

test.each([
  [2, 1],
  [Infinity, 0],
])('a server may list its tools only after %d empty lists', async (emptyCount, toolCount) => {
  let count = 0;
  await using server = await serving(({ message, response }) => {
    const tools = (count += 1) > emptyCount ? [{ name: 'late', inputSchema: { type: 'object' } }] : [];
    json(response, { id: message.id, result: { tools } });
  });
  const list = () => inSession(server.run, endpoint, (session) => listToolsInTime(server.run, session));
  expect((await list()).tools).toHaveLength(toolCount);
  const { length } = server.seen.filter(({ message }) => message.method === 'tools/list');
  expect((await list()).tools).toHaveLength(toolCount);
  // It does not wait for them again.
  expect(server.seen.filter(({ message }) => message.method === 'tools/list')).toHaveLength(length + 1);
});

test('an endless sequence of pages is a mismatch', async () => {
  let page = 0;
  await using server = await serving(({ message, response }) => {
    const tool = { name: `tool-${(page += 1)}`, inputSchema: { type: 'object' } };
    json(response, { id: message.id, result: { tools: [tool], nextCursor: 'again' } });
  });
  const { mismatches } = await inSession(server.run, endpoint, listTools);
  expect(mismatches).toMatchObject([{ actual: 'pages without end' }]);
});

test.each([
  [
    'a response with another id',
    (id: unknown) => ({ id: String(id), result: {} }),
    /^a response with the id "1" in status 200/,
  ],
  ['an error', (id: unknown) => ({ id, error: { code: -32_601, message: 'no' } }), /-32601/],
  ['no object as result', (id: unknown) => ({ id, result: 'pong' }), /pong/],
  ['another version of JSON-RPC', (id: unknown) => ({ jsonrpc: '1.0', id, result: {} }), /1\.0/],
])('%s is a mismatch', async (_, messageFor, says) => {
  await using server = await serving(({ message, response }) => json(response, messageFor(message.id)));
  const found = pinged(await inSession(server.run, endpoint, (session) => session.request('ping')));
  expect(found).toHaveLength(1);
  expect(found[0]?.actual).toMatch(says);
});

test('a response of another media type does not count', async () => {
  await using server = await serving(({ message, response }) => {
    response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }));
  });
  const found = pinged(await inSession(server.run, endpoint, (session) => session.request('ping')));
  expect(found).toMatchObject([{ actual: 'none in status 200, text/plain' }]);
});

test('an array of messages counts as its elements', async () => {
  await using server = await serving(({ message, response }) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify([{ jsonrpc: '2.0', id: message.id, result: {} }]));
  });
  const response = await inSession(server.run, endpoint, (session) => session.request('ping'));
  expect(pinged(response)).toEqual([]);
});

test('a slow response is awaited even if the patience of the run is 0', async () => {
  await using server = await serving(({ message, response }) => {
    events(response).flushHeaders();
    setTimeout(() => response.end(data({ id: message.id, result: { tools: [] } })), 50);
  });
  const response = await inSession({ ...server.run, patienceSeconds: 0 }, endpoint, (session) =>
    session.request('tools/list'),
  );
  expect(response.message).toMatchObject({ result: { tools: [] } });
});
