/** How a run finds out which eras of MCP a server supports (MCP 2026-07-28, Versioning). */
import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { functionEndpoint } from './endpoints.ts';
import { erasOf } from './eras.ts';
import { headerValue, mirroredArguments, modernInput } from './modern.ts';
import { startSession, withSessions } from './session.ts';

const endpoint = functionEndpoint('tools');

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: object;
}

const sentIn = ({ body }: ReceivedRequest): Sent => JSON.parse(body === '' ? '{}' : body) as Sent;
const result = (id: unknown, value: object): LocalResponse => ({ body: { jsonrpc: '2.0', id, result: value } });
const error = (status: number, id: unknown, code: number, data?: object): LocalResponse => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message: 'no', data } },
});

type Respond = (sent: Sent, headers: ReceivedRequest['headers']) => LocalResponse;

const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'odd', version: '1' } };
const legacy: Respond = ({ id, method }) =>
  method === 'initialize' ? result(id, initialized) : error(400, null, -32_000);
/** `@modelcontextprotocol/server` 2.4.0 with `legacy: 'reject'`, and `@mastra/mcp` 2.0.0. */
const modern: Respond = ({ id, method }) =>
  method === 'server/discover'
    ? result(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} })
    : error(400, id, -32_022, { supported: ['2026-07-28'] });
const dual: Respond = (sent, headers) => (sent.method === 'initialize' ? legacy(sent, headers) : modern(sent, headers));
/** `supergateway` 4.0.0 relays requests of 2026-07-28 to a legacy server, and refuses others without a session. */
const withoutDiscover: Respond = (sent, headers) => {
  if (sent.method === 'initialize') return legacy(sent, headers);
  if (headers['mcp-protocol-version'] !== '2026-07-28') return error(400, null, -32_000);
  return '_meta' in (sent.params ?? {}) ? error(404, sent.id, -32_601) : error(400, sent.id, -32_602);
};
/** Legacy servers that need not know the version header, and require what is not the version. */
const requiring =
  (isComplete: (sent: Sent, headers: ReceivedRequest['headers']) => boolean): Respond =>
  (sent, headers) => {
    if (sent.method === 'initialize') return legacy(sent, headers);
    return isComplete(sent, headers) ? error(200, sent.id, -32_601) : error(400, null, -32_600);
  };
/** A legacy server that need not know the version header. */
const unaware: Respond = (sent, headers) =>
  sent.method === 'initialize' ? legacy(sent, headers) : error(200, sent.id, -32_601);
/** Refuses 2026-07-28 with the error of that version. */
const aware: Respond = (sent, headers) =>
  sent.method === 'initialize' ? legacy(sent, headers) : error(400, sent.id, -32_022, { supported: ['2025-11-25'] });

test.each([
  ['a legacy server', legacy, true, false],
  ['a legacy server that ignores the version header', unaware, true, false],
  ['a legacy server that lists its versions', aware, true, false],
  ['a legacy server that requires params', requiring(({ params }) => params !== undefined), true, false],
  ['a legacy server that requires _meta', requiring(({ params = {} }) => '_meta' in params), true, false],
  ['a legacy server that requires an unknown header', requiring((_, headers) => 'mcp-method' in headers), true, false],
  ['a modern server', modern, false, true],
  ['a dual-era server', dual, true, true],
  ['a server that accepts the version without server/discover', withoutDiscover, true, true],
])('%s is recognized', async (_, respond, isLegacy, isModern) => {
  await using server = await localServer((received) => respond(sentIn(received), received.headers));
  expect(await erasOf(openTestRun({ address: server.address }), endpoint)).toMatchObject({ isLegacy, isModern });
});

test('a JSON-RPC error is final: initialize is sent once, and nothing else follows', async () => {
  await using server = await localServer((received) => error(400, sentIn(received).id ?? null, -32_600));
  const run = openTestRun({ address: server.address });
  for (let time = 0; time < 3; time += 1)
    await expect(withSessions(run, endpoint, async () => {})).rejects.toThrow(
      /initialize: .*-32600|initialize: status 400/,
    );
  expect(server.received.map((each) => sentIn(each).method)).toEqual(['initialize', 'server/discover']);
});

test.each([400, 401, 403, 405, 406, 415, 501])('status %i without JSON-RPC is final', async (status) => {
  await using server = await localServer(() => ({ status, body: { error: 'no', code: status } }));
  const run = openTestRun({ address: server.address });
  expect(await erasOf(run, endpoint)).toMatchObject({ isLegacy: false, isModern: false });
  expect(server.received).toHaveLength(2);
});

test.each<LocalResponse>([
  { status: 404 },
  { status: 409 },
  { status: 500 },
  { status: 502 },
  { status: 504 },
  { status: 403, headers: { 'retry-after': '0' } },
])('a server that starts is waited for (%o)', async (starting) => {
  let count = 0;
  await using server = await localServer((received) => {
    count += 1;
    return count <= 2 ? { body: { error: 'starting' }, ...starting } : legacy(sentIn(received), received.headers);
  });
  expect(await erasOf(openTestRun({ address: server.address }), endpoint)).toMatchObject({ isLegacy: true });
});

test('a modern server is waited for that starts after a gateway has refused initialize', async () => {
  let count = 0;
  await using server = await localServer((received) => {
    const sent = sentIn(received);
    if (sent.method === 'initialize') return { status: 400, body: {} };
    count += 1;
    return count === 1 ? { status: 503, body: {} } : modern(sent, received.headers);
  });
  expect(await erasOf(openTestRun({ address: server.address }), endpoint)).toMatchObject({ isModern: true });
});

test.each<[string, LocalResponse, string]>([
  ['initialize', { status: 404 }, 'server/discover'],
  ['initialize', { status: 409 }, 'server/discover'],
  ['initialize', { status: 425 }, 'server/discover'],
  ['server/discover', { status: 502 }, 'initialize'],
])('a server of both eras that starts after %s gets %o is waited for', async (refused, starting, other) => {
  const counts = new Map<string, number>();
  await using server = await localServer((received) => {
    const sent = sentIn(received);
    const count = (counts.get(sent.method ?? '') ?? 0) + 1;
    counts.set(sent.method ?? '', count);
    return sent.method === refused && count <= 2 ? starting : dual(sent, received.headers);
  });
  const eras = await erasOf(openTestRun({ address: server.address }), endpoint);
  expect(eras).toMatchObject({ isLegacy: true, isModern: true });
  expect(counts.get(other)).toBe(1);
});

test.each([
  ['legacy', 404],
  ['legacy', 500],
  ['modern', 404],
])('a %s server that refuses the other era with %i and no JSON-RPC error is known soon', async (era, status) => {
  const [supported, respond] = era === 'legacy' ? ['initialize', legacy] : ['server/discover', modern];
  await using server = await localServer((received) => {
    const sent = sentIn(received);
    return sent.method === supported ? respond(sent, received.headers) : { status, body: 'no' };
  });
  const startedAt = performance.now();
  const eras = await erasOf(openTestRun({ address: server.address, patienceSeconds: 30 }), endpoint);
  expect(eras).toMatchObject({ isLegacy: era === 'legacy', isModern: era === 'modern' });
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test('a session that was refused is not initialized', async () => {
  await using server = await localServer((received) => error(400, sentIn(received).id, -32_022));
  const session = await startSession(openTestRun({ address: server.address }), endpoint);
  expect(session.accepted).toBeUndefined();
  expect(server.received).toHaveLength(1);
});

test('an ended session is not renewed, even if another one has begun', async () => {
  let count = 0;
  await using server = await localServer((received) => {
    const { id, method } = sentIn(received);
    if (received.method === 'DELETE') return { status: 200 };
    if (method === 'initialize')
      return { ...result(id, initialized), headers: { 'mcp-session-id': `session-${(count += 1)}` } };
    return method === undefined ? { status: 405 } : { status: id === undefined ? 202 : 404 };
  });
  const run = openTestRun({ address: server.address });
  const session = await startSession(run, endpoint);
  await startSession(run, endpoint);
  await session.end();
  await session.end();
  expect((await session.request('ping')).exchange.response.status).toBe(404);
  expect(count).toBe(2);
  expect(server.received.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

// The values of the specification (Streamable HTTP, Value Encoding).
test.each([
  ['us-west1', 'us-west1'],
  ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
  [' padded ', '=?base64?IHBhZGRlZCA=?='],
  ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
  ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
])('the header value of %j is %s', (value, header) => {
  expect(headerValue(value)).toBe(header);
});

test('arguments are repeated in headers if the schema says so, also in nested objects', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      query: { type: 'string' },
      options: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry' } } },
      absent: { type: 'string', 'x-mcp-header': 'Absent' },
    },
  };
  expect(mirroredArguments(inputSchema, { region: 'us-west1', query: 'x', options: { dry: true } })).toEqual({
    'Mcp-Param-Region': 'us-west1',
    'Mcp-Param-Dry': 'true',
  });
});

test('a request of version 2026-07-28 has its version, method and tool in headers and body', () => {
  expect(modernInput(1, 'tools/call', { name: 'add', arguments: {} })).toMatchObject({
    headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'add' },
    body: {
      method: 'tools/call',
      params: { name: 'add', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    },
  });
});
