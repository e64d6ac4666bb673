import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import { judgeExchanges, type Described } from '../testing/judge-exchanges.ts';
import { collectCases } from '../engine/collect-cases.ts';

// Loads the suite files of these rules.
await collectCases(['mcp.functions.speaks-streamable-http', 'mcp.sandboxes.speaks-streamable-http']);

const call = (
  method: string,
  params: object | undefined,
  received: unknown,
  more: Partial<Described> = {},
): Described => ({
  surface: 'sandbox',
  method: 'POST',
  url: '/mcp',
  sent: { jsonrpc: '2.0', id: 1, method, ...(params && { params }) },
  received,
  ...more,
});
const result = (value: object, id: unknown = 1) => ({ jsonrpc: '2.0', id, result: value });
const error = (code: number, id: unknown = 1) => ({ jsonrpc: '2.0', id, error: { code, message: 'no' } });

const events = { responseHeaders: { 'content-type': 'text/event-stream' }, text: ': open\n\n' };

test.each<[string, MustId, Described, string]>([
  ['another id', 'mcp.sandboxes.speaks-streamable-http', call('ping', undefined, result({}, 2)), 'breaks'],
  [
    'an error without an id',
    'mcp.sandboxes.speaks-streamable-http',
    call('ping', undefined, error(-32_600, null)),
    'says nothing',
  ],
  [
    'a stream that ends early',
    'mcp.sandboxes.speaks-streamable-http',
    call('ping', undefined, undefined, events),
    'says nothing',
  ],
  ['no message', 'mcp.sandboxes.speaks-streamable-http', call('ping', undefined, undefined), 'breaks'],
  [
    'a message that was not read to its end',
    'mcp.sandboxes.speaks-streamable-http',
    call('ping', undefined, undefined, { text: '{"jsonrpc": ', isCut: true }),
    'says nothing',
  ],
  [
    'a refusal',
    'mcp.sandboxes.speaks-streamable-http',
    call('ping', undefined, error(-32_001, null), { status: 404 }),
    'says nothing',
  ],
  ['tools without a list', 'mcp.sandboxes.speaks-streamable-http', call('tools/list', {}, result({})), 'breaks'],
  [
    'text as a result',
    'mcp.sandboxes.speaks-streamable-http',
    call('ping', undefined, { jsonrpc: '2.0', id: 1, result: 'pong' }),
    'breaks',
  ],
  ['a result', 'mcp.sandboxes.unknown-method', call('Tools/List', {}, result({ tools: [] })), 'breaks'],
  ['a method of its own', 'mcp.sandboxes.unknown-method', call('acme/list', {}, result({})), 'says nothing'],
  [
    'an unknown session',
    'mcp.sandboxes.unknown-method',
    call('Tools/List', {}, error(-32_001), { status: 404 }),
    'says nothing',
  ],
  ['the error', 'mcp.sandboxes.unknown-method', call('acme/list', {}, error(-32_601)), 'keeps'],
  ['a result', 'mcp.sandboxes.parse-error', call('', {}, result({}), { sentText: '{"a"' }), 'breaks'],
  [
    'an unknown session',
    'mcp.sandboxes.parse-error',
    call('', {}, error(-32_001, null), { sentText: '{', status: 404 }),
    'says nothing',
  ],
  [
    'a page',
    'mcp.sandboxes.parse-error',
    call('', {}, undefined, { sentText: '{', status: 400, text: '<html>' }),
    'keeps',
  ],
])('%s: %s', (_, rule, described, expected) => {
  expect(judgeExchanges(rule, [described])).toEqual([expected]);
});

const modernCall = (method: string, received: unknown): Described =>
  call(method, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, received, {
    headers: { 'MCP-Protocol-Version': '2026-07-28' },
  });

test.each([
  ['a server of earlier versions', [], 'keeps'],
  [
    'a server that has responded to server/discover',
    [modernCall('server/discover', result({ resultType: 'complete', supportedVersions: ['2026-07-28'] }))],
    'breaks',
  ],
])('status 200 for an unknown method of 2026-07-28, from %s', (_, before, expected) => {
  const recording = [...before, modernCall('acme/list', error(-32_601))];
  expect(judgeExchanges('mcp.sandboxes.unknown-method', recording).at(-1)).toBe(expected);
});

const inFunction = {
  surface: 'inference',
  url: '/main/functions/tools/mcp',
  headers: { 'Mcp-Session-Id': 's' },
} as const;
const tools = (names: readonly string[], more: object = {}) =>
  call(
    'tools/list',
    {},
    result({ tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })), ...more }),
    inFunction,
  );
const callOf = (name: string) => call('tools/call', { name }, result({ content: [] }), inFunction);

test.each([
  ['a tool that is not listed', [tools(['a']), callOf('b')], 'breaks'],
  ['a listed tool', [tools(['a']), callOf('a')], 'says nothing'],
  ['a tool of an unknown page', [tools(['a'], { nextCursor: '2' }), callOf('b')], 'says nothing'],
  ['a tool after a call that may have added it', [tools(['a']), callOf('a'), callOf('b')], 'says nothing'],
  [
    'a tool after a call of another session that may have added it',
    [tools(['a']), { ...callOf('a'), headers: { 'Mcp-Session-Id': 'other' } }, callOf('b')],
    'says nothing',
  ],
  ['a tool that may have been added since', [tools(['a']), { ...callOf('b'), sentAt: 60_000 }], 'says nothing'],
])('a call of %s', (_, recording, expected) => {
  expect(judgeExchanges('mcp.functions.unknown-tool', recording).at(-1)).toBe(expected);
});
