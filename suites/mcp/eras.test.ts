/** Servers of version 2026-07-28 that check the headers before the body, alone and next to the protocol with sessions. */
import { expect, test } from 'vitest';
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { Violation } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { fieldsOf, isFields } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { functionEndpoint } from '../kit/mcp/endpoints.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { checkMalformedMessages } from './malformed-messages.ts';
import { sandboxToolMismatches } from './sandbox-tools.ts';
import { checkStreamableHttp } from './streamable-http.ts';

const MODERN = '2026-07-28';

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Fields;
}

const versionIn = ({ params }: Sent): unknown =>
  fieldsOf(params?.['_meta'])?.['io.modelcontextprotocol/protocolVersion'];

type Reply = (sent: Sent) => LocalResponse;

const result = ({ id }: Sent, value: object): LocalResponse => ({ body: { jsonrpc: '2.0', id, result: value } });
const error = (status: number, id: unknown, code: number, data?: object): LocalResponse => ({
  status,
  body: { jsonrpc: '2.0', id: id ?? null, error: { code, message: 'no', data } },
});

const tools = [{ name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }];
const modernMembers = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const capabilities = { tools: {} };
const serverInfo = { name: 'odd', version: '1' };
const notJson: Reply = () => error(400, null, -32_700);
const accepted: Reply = () => ({ status: 202 });
const unknownTool: Reply = (sent) => error(200, sent.id, -32_602, { name: sent.params?.['name'] });
const callTool: Reply = (sent) =>
  sent.params?.['name'] === 'read' ? result(sent, { ...modernMembers, content: [] }) : unknownTool(sent);

interface Replies {
  /** To a body that is not JSON. */
  readonly malformed: Reply;
  readonly notification: Reply;
  readonly call: Reply;
}

const conforming: Replies = { malformed: notJson, notification: accepted, call: callTool };

/** Checks the headers of every message, then the body. */
function modernServer({ malformed, notification, call }: Replies) {
  return (sent: Sent | undefined, { headers }: ReceivedRequest): LocalResponse => {
    const { 'mcp-protocol-version': version, 'mcp-method': method } = headers;
    if (version !== MODERN) return error(400, sent?.id, -32_022, { supported: [MODERN] });
    if (method === undefined) return error(400, sent?.id, -32_020);
    if (sent === undefined) return malformed({});
    if (sent.method !== method || versionIn(sent) !== version) return error(400, sent.id, -32_020);
    if (sent.id === undefined) return notification(sent);
    if (method === 'server/discover')
      return result(sent, { ...modernMembers, supportedVersions: [MODERN], capabilities, serverInfo });
    if (method === 'tools/list') return result(sent, { ...modernMembers, tools });
    return method === 'tools/call' ? call(sent) : error(404, sent.id, -32_601);
  };
}

/** Also has the protocol with `initialize`, without sessions, which conforms. */
function dualServer(replies: Replies) {
  const modern = modernServer(replies);
  return (sent: Sent | undefined, received: ReceivedRequest): LocalResponse => {
    if (received.headers['mcp-protocol-version'] === MODERN) return modern(sent, received);
    if (received.method !== 'POST') return { status: 405 };
    if (sent === undefined) return notJson({});
    if (sent.id === undefined) return accepted(sent);
    const methods: Readonly<Record<string, Reply>> = {
      initialize: () => result(sent, { protocolVersion: '2025-11-25', capabilities, serverInfo }),
      ping: () => result(sent, {}),
      'tools/list': () => result(sent, { tools }),
      'tools/call': callTool,
    };
    return methods[sent.method ?? '']?.(sent) ?? error(200, sent.id, -32_601);
  };
}

type Server = typeof modernServer;
const eras: readonly (readonly [string, Server])[] = [
  ['a modern server', modernServer],
  ['a dual-era server', dualServer],
];

async function mismatchesOf(
  server: Server,
  replies: Partial<Replies>,
  check: (run: Run) => Promise<void | Mismatch[]>,
) {
  const respond = server({ ...conforming, ...replies });
  await using local = await localServer((received) => {
    const sent = jsonIn(received.body);
    return respond(isFields(sent) ? sent : undefined, received);
  });
  try {
    return (await check(openTestRun({ address: local.address, allow: 'write' }))) ?? [];
  } catch (thrown) {
    if (!(thrown instanceof Violation)) throw thrown;
    return thrown.mismatches;
  }
}

const malformed = (run: Run) => checkMalformedMessages(run, functionEndpoint('tools'), -32_700);
const transport = (run: Run) => checkStreamableHttp(run, functionEndpoint('tools'));

test.each(eras)('%s that checks headers first conforms', async (_, server) => {
  for (const check of [malformed, transport, sandboxToolMismatches])
    expect(await mismatchesOf(server, {}, check)).toEqual([]);
});

test.each(eras)('%s may find that no body matches its headers', async (_, server) => {
  expect(await mismatchesOf(server, { malformed: () => error(400, null, -32_020) }, malformed)).toEqual([]);
});

test.each([
  ['another error of the server', -32_000],
  ['an error of a session', -32_001],
  ['an invalid request', -32_600],
])('a body of version 2026-07-28 that is not JSON is not %s', async (_, code) => {
  for (const [, server] of eras)
    expect(await mismatchesOf(server, { malformed: () => error(400, null, code) }, malformed)).toMatchObject([
      { source: mcpSources.parseError, actual: `error ${code}` },
    ]);
});

const noSession: Reply = () => error(400, null, -32_000);

/** Takes what has no version in its body for a legacy message, which needs a session. */
const sessionServer: Server = (replies) => {
  const dual = dualServer(replies);
  return (sent, received) => {
    const isLegacy = sent === undefined || received.headers['mcp-protocol-version'] !== MODERN;
    const belongs = sent?.method === 'initialize' || received.headers['mcp-session-id'] !== undefined;
    if (isLegacy && !belongs && received.method === 'POST') return noSession({});
    const response = dual(sent, received);
    return sent?.method === 'initialize' ? { ...response, headers: { 'mcp-session-id': 'session' } } : response;
  };
};

test('a server of both eras may take a body that is not JSON for a legacy message of no session', async () => {
  expect(await mismatchesOf(sessionServer, {}, malformed)).toEqual([]);
});

test.each(eras)('%s must not accept a body that is not JSON', async (_, server) => {
  const found = await mismatchesOf(server, { malformed: () => result({}, {}) }, malformed);
  expect(found).toMatchObject([{ source: mcpSources.parseError }]);
});

test.each(eras)('%s must not reply to a notification', async (_, server) => {
  const found = await mismatchesOf(server, { notification: () => ({ status: 202, body: { ok: true } }) }, transport);
  expect(found).not.toEqual([]);
  expect(new Set(found.map(({ source }) => source))).toEqual(new Set([mcpSources.notification]));
});

test.each(eras)('%s must support the tools that it lists, and no others', async (_, server) => {
  expect(await mismatchesOf(server, { call: unknownTool }, sandboxToolMismatches)).toMatchObject([
    { source: mcpSources.toolCall },
  ]);
  const succeeds: Reply = (sent) => result(sent, { ...modernMembers, content: [] });
  expect(await mismatchesOf(server, { call: succeeds }, sandboxToolMismatches)).toMatchObject([
    { source: mcpSources.toolErrors },
  ]);
});
