/** What a server must do to pass, and what is not its fault: servers in the forms that were seen in November 2026. */
import { expect, test } from 'vitest';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { NotTried } from '../engine/conforms.ts';
import type { Mismatch, Run, Violation } from '../engine/conforms.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { inSession } from '../kit/mcp/session.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { isFields } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { openTestRun } from '../testing/test-run.ts';
import { endedSessionMismatches } from './ended-session.ts';
import { checkStreamableHttp } from './streamable-http.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { overlapMismatches, slowestCall } from './overlapping-calls.ts';
import { callAll, callsOf, callTool } from './tool-calls.ts';
import type { Tool } from './tools.ts';
import { checkUnknownMethods } from './unknown-methods.ts';
import { checkVersionHeader } from './version-header.ts';

const endpoint = functionEndpoint('tools');

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
}

type Reply = (sent: Sent, received: ReceivedRequest) => LocalResponse;

const result = (id: unknown, value: object): LocalResponse => ({ body: { jsonrpc: '2.0', id, result: value } });
const error = (status: number, id: unknown, code: number, data?: object): LocalResponse => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message: 'no', data } },
});

const serving = (reply: Reply) =>
  localServer((received) => reply(JSON.parse(received.body === '' ? '{}' : received.body) as Sent, received));

/** A legacy server with sessions. `reply` is for the other messages. */
const legacy = (reply: Reply): Reply => {
  let isEnded = false;
  return (sent, received) => {
    if (received.method === 'DELETE' && !isEnded) {
      isEnded = true;
      return { status: 200 };
    }
    if (!isEnded && sent.method === 'notifications/initialized') return { status: 202 };
    if (sent.method !== 'initialize') return reply(sent, received);
    isEnded = false;
    const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'odd', version: '1' } };
    return { ...result(sent.id, initialized), headers: { 'mcp-session-id': 'session-1' } };
  };
};

async function isTried(reply: Reply): Promise<string> {
  await using server = await serving(reply);
  try {
    await checkStreamableHttp(openTestRun({ address: server.address }), endpoint);
    return 'passed';
  } catch (thrown) {
    return thrown instanceof NotTried ? 'not tried' : 'failed';
  }
}

test.each([
  [['2025-11-25', '2024-11-05'], 'failed'],
  [['2026-07-28'], 'failed'],
  [['2031-01-01'], 'not tried'],
])('a server that refuses both eras and says that it supports %j: %s', async (supported, expected) => {
  const reply: Reply = ({ id, method }) =>
    method === 'initialize' ? error(200, id, -32_603) : error(400, id, -32_022, { supported, requested: '2026-07-28' });
  expect(await isTried(reply)).toBe(expected);
});

test.each([
  [[200, 503, 404], 'unknown at last', []],
  [[503, 404], 'unavailable in between', []],
  [[400], 'refused otherwise', [{ actual: expect.stringContaining('400'), source: mcpSources.endedSession }]],
])('the session that has ended: %j (%s)', async (statuses, _, expected) => {
  const left = [...statuses];
  await using server = await serving(
    legacy(({ id }) => {
      const status = left.length > 1 ? left.shift()! : left[0]!;
      return status === 200 ? result(id, {}) : { status };
    }),
  );
  const run = { ...openTestRun({ address: server.address }), patienceSeconds: statuses.length > 1 ? 5 : 0.5 };
  expect(await inSession(run, endpoint, (session) => endedSessionMismatches(run, endpoint, session))).toMatchObject(
    expected,
  );
});

test.each([
  ['a notification', 'notifications/initialized', 202, 1],
  ['a notification', 'notifications/initialized', 400, 0],
  ['GET', 'GET', 200, 1],
  ['GET', 'GET', 405, 0],
  ['DELETE', 'DELETE', 204, 1],
  ['DELETE', 'DELETE', 405, 0],
])('%s in a session that has ended (%s) with status %i', async (_, name, status, count) => {
  const headers = { 'content-type': 'text/event-stream' };
  await using server = await serving(
    legacy((sent, { method }) => {
      if ((sent.method ?? method) !== name) return { status: 404 };
      return { status, ...(status === 200 && { headers, body: ': open\n\n' }) };
    }),
  );
  const run = { ...openTestRun({ address: server.address }), patienceSeconds: 0.5 };
  const found = await inSession(run, endpoint, (session) => endedSessionMismatches(run, endpoint, session));
  expect(found.map(({ source }) => source)).toEqual(Array.from({ length: count }, () => mcpSources.endedSession));
});

const reading: Tool = { name: 'read', inputSchema: { type: 'object' }, onlyReads: true, needsTask: false };
const content = { content: [{ type: 'text', text: 'x' }] };

/** Calls the tool once, and then again during a ping. `again` replies to the second call. */
async function overlap(
  tool: Tool,
  again: (id: unknown) => LocalResponse,
  allow: Allow = 'write',
): Promise<[Mismatch[], number]> {
  let callCount = 0;
  await using server = await serving(
    legacy(({ id, method }) => {
      if (method !== 'tools/call') return result(id, {});
      return (callCount += 1) === 1 ? result(id, content) : again(id);
    }),
  );
  const run: Run = openTestRun({ address: server.address, allow });
  const found = await inSession(run, endpoint, async (session) => {
    const [call] = callsOf(tool);
    const response = await callTool(session, call!);
    return overlapMismatches(run, endpoint, session, slowestCall(run, session, [{ call: call!, response }]));
  });
  return [found, callCount];
}

test.each([
  ['its own result', (id: unknown) => result(id, content)],
  ['an error, such as a limit of its rate', (id: unknown) => error(200, id, -32_000)],
  ['an HTTP error', () => ({ status: 500 })],
  ['a result that says that it failed', (id: unknown) => result(id, { ...content, isError: true })],
])('a repeated call may get %s', async (_, again) => {
  expect((await overlap(reading, again))[0]).toEqual([]);
});

test.each([
  ['the result of another method', (id: unknown) => result(id, {})],
  ['the response of another id', () => result('another', content)],
  ['no response', () => ({ headers: { 'content-type': 'text/event-stream' }, body: '' })],
])('a repeated call must not get %s', async (_, again) => {
  expect((await overlap(reading, again))[0]).toHaveLength(1);
});

test.each([
  ['a capability that the client lacks', -32_021, undefined],
  ['an authorization in a browser', -32_042, undefined],
  ['something unknown', -32_603, 1],
])('a tool that fails because it needs %s', async (_, code, count) => {
  await using server = await serving(
    legacy(({ id, method }) => (method === 'tools/call' ? error(200, id, code) : result(id, {}))),
  );
  const run: Run = openTestRun({ address: server.address });
  const called = await inSession(run, endpoint, (session) => callAll(session, callsOf(reading).slice(0, 1)));
  expect(called?.mismatches.length).toBe(count);
});

test.each([
  ['one call', 2, undefined],
  ['every call', Infinity, 1],
])('a server may limit the rate of calls, but not refuse %s', async (_, first, count) => {
  let calls = 0;
  const reply = (id: unknown): LocalResponse => ((calls += 1) < first ? error(200, id, -32_000) : result(id, content));
  await using server = await serving(
    legacy(({ id, method }) => (method === 'tools/call' ? reply(id) : result(id, {}))),
  );
  const run: Run = openTestRun({ address: server.address });
  const called = await inSession(run, endpoint, (session) => callAll(session, callsOf(reading).slice(0, 1)));
  expect(called?.mismatches.length || undefined).toBe(count);
});

test('a tool that may write is not called again', async () => {
  expect(await overlap({ ...reading, onlyReads: false }, (id) => error(200, id, -32_000))).toEqual([[], 1]);
});

test('with allow: destroy, a tool that may write is called again, and may fail', async () => {
  const writing = { ...reading, onlyReads: false };
  expect(await overlap(writing, (id) => error(200, id, -32_000), 'destroy')).toEqual([[], 2]);
  expect((await overlap(writing, () => result('another', content), 'destroy'))[0]).toHaveLength(1);
});

/** A modern server. `reply` is for requests whose headers are not those of a valid one. */
const modern =
  (reply: (id: unknown) => LocalResponse): Reply =>
  ({ id, method }, { headers }) => {
    const version = headers['mcp-protocol-version'];
    if (version !== '2026-07-28') return error(400, id, -32_022, { supported: ['2026-07-28'] });
    if (headers['mcp-method'] !== method) return reply(id);
    return result(id, { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} });
  };

test.each([
  ['400 and -32020', (id: unknown) => error(400, id, -32_020), undefined],
  ['400 of an intermediary', () => ({ status: 400, body: 'Bad Request' }), undefined],
  ['another code', (id: unknown) => error(400, id, -32_600), 'headerError'],
  ['another status', (id: unknown) => error(403, id, -32_020), 'headerError'],
  ['a result', (id: unknown) => result(id, {}), 'headerMismatch'],
] as const)('headers that do not match the body: %s', async (_, reply, source) => {
  await using server = await serving(modern(reply));
  const run = openTestRun({ address: server.address });
  const sources = await checkVersionHeader(run, endpoint, 400).then(
    () => [],
    (thrown: Violation) => thrown.mismatches.map((each) => each.source),
  );
  expect(sources).toEqual(source === undefined ? [] : [mcpSources[source]]);
});

/** Each session ends after a request. `judged` replies to what the rules are about, in a session that exists. */
function ephemeral(judged: (sent: Sent) => LocalResponse): Reply {
  let sessionCount = 0;
  const left = new Map<unknown, number>();
  return (sent, received) => {
    if (received.method === 'DELETE') return { status: 405 };
    if (sent.method === 'notifications/initialized') return { status: 202 };
    if (sent.method === 'initialize') {
      const id = `session-${(sessionCount += 1)}`;
      left.set(id, 1);
      const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'o', version: '1' } };
      return { ...result(sent.id, initialized), headers: { 'mcp-session-id': id } };
    }
    if (sent.method === 'server/discover') return { status: 400 };
    const session = received.headers['mcp-session-id'];
    const requestCount = left.get(session) ?? 0;
    left.set(session, requestCount - 1);
    if (requestCount < 1) return error(404, null, -32_001);
    const version = received.headers['mcp-protocol-version'];
    return sent.method === 'ping' && version === '2025-11-25' ? result(sent.id, {}) : judged(sent);
  };
}

const checks = {
  'version header': (run: Run) => checkVersionHeader(run, endpoint, 400),
  'unknown methods': (run: Run) => checkUnknownMethods(run, endpoint, -32_601),
  'malformed messages': (run: Run) => checkMalformedMessages(run, endpoint, -32_700),
};

/** The request is not JSON if it has no method. */
const conforming = ({ id, method }: Sent): LocalResponse => {
  if (method === undefined) return error(400, null, -32_700);
  return method === 'ping' ? { status: 400 } : error(200, id, -32_601);
};

async function mismatchesOf(reply: Reply, check: keyof typeof checks) {
  await using server = await localServer((received) => {
    const sent = jsonIn(received.body);
    return reply(isFields(sent) ? sent : {}, received);
  });
  try {
    await checks[check](openTestRun({ address: server.address }));
    return [];
  } catch (thrown) {
    return (thrown as Violation).mismatches;
  }
}

// "The server MAY terminate the session at any time" (MCP 2025-11-25, Session Management).
test.each(Object.keys(checks) as (keyof typeof checks)[])(
  'sessions of one request do not matter: %s',
  async (check) => {
    expect(await mismatchesOf(ephemeral(conforming), check)).toEqual([]);
  },
);

test.each([
  ['version header', () => error(404, null, -32_001)],
  ['version header', ({ id }: Sent) => result(id, {})],
  ['unknown methods', ({ id }: Sent) => result(id, {})],
  ['unknown methods', ({ id }: Sent) => error(404, id, -32_600)],
  ['malformed messages', () => error(404, null, -32_001)],
  ['malformed messages', () => result(1, {})],
] as const)('another session does not hide a defect: %s, %s', async (check, judged) => {
  expect(await mismatchesOf(ephemeral(judged), check)).not.toEqual([]);
});

/** Refuses every 20th message, as a gateway does that limits connections. */
function limited(reply: Reply): Reply {
  let messageCount = 0;
  return (sent, received) =>
    received.method === 'POST' && (messageCount += 1) % 20 === 5
      ? { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>503 Service Temporarily Unavailable</h1>' }
      : reply(sent, received);
}

const inOneSession =
  (judged: (sent: Sent) => LocalResponse): Reply =>
  (sent, received) => {
    if (sent.method === 'server/discover') return { status: 400 };
    const isValid = sent.method === 'ping' && received.headers['mcp-protocol-version'] === '2025-11-25';
    return legacy(isValid ? () => result(sent.id, {}) : judged)(sent, received);
  };

test.each(Object.keys(checks) as (keyof typeof checks)[])(
  'a message that is refused with 503 is sent again: %s',
  async (check) => {
    expect(await mismatchesOf(limited(inOneSession(conforming)), check)).toEqual([]);
  },
);

test.each([
  ['version header', () => ({ status: 503 })],
  ['unknown methods', ({ id }: Sent) => error(503, id, -32_603)],
] as const)('503 again and again is a defect: %s', async (check, judged) => {
  expect(await mismatchesOf(inOneSession(judged), check)).not.toEqual([]);
});
