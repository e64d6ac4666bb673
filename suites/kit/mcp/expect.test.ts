/** What counts as a refusal: an unknown method and a body that is not JSON are treated alike (decision 043). */
import { expect, test } from 'vitest';
import { mcpSources } from '../../../spec/requirements/mcp-sources.ts';
import { testExchange } from '../../testing/test-run.ts';
import { hasResponse, refusedWith } from './expect.ts';
import { anyResponse } from './messages.ts';

const CODE = -32_601;

function mismatches(status: number, type: string, text: string) {
  const response = { status, headers: { 'content-type': type }, text, json: undefined };
  return refusedWith({ ...testExchange, response }, anyResponse(response), CODE, mcpSources.unknownMethod);
}

const json = (value: object): string => JSON.stringify({ jsonrpc: '2.0', id: null, ...value });

test.each([
  ['text of the official Go SDK 1.7.0', 400, 'text/plain', 'JSON RPC method not found'],
  ['a page of Express 5', 400, 'text/html', '<pre>SyntaxError</pre>'],
  ['an HTTP error of any kind', 500, 'text/html', '<pre>SyntaxError</pre>'],
  ['an error that is no JSON-RPC message', 404, 'application/json', '{"error":"unknown"}'],
  ['the JSON-RPC error', 200, 'application/json', json({ error: { code: CODE, message: 'no' } })],
  ['both', 400, 'application/json', json({ error: { code: CODE, message: 'no' } })],
])('%s is accepted', (_, status, type, text) => {
  expect(mismatches(status, type, text)).toEqual([]);
});

test.each([
  ['another error', 400, json({ error: { code: -32_600, message: 'no' } }), mcpSources.unknownMethod],
  ['a result', 200, json({ result: {} }), mcpSources.unknownMethod],
  ['500 and another error', 500, json({ error: { code: -32_603, message: 'no' } }), mcpSources.unknownMethod],
  ['success with text', 200, 'ok', mcpSources.unknownMethod],
  ['success without a message', 202, '', mcpSources.unknownMethod],
  ['an error without a message', 200, json({ error: { code: CODE } }), mcpSources.errorMessage],
])('%s is a mismatch that cites its source', (_, status, text, source) => {
  expect(mismatches(status, 'application/json', text)).toMatchObject([{ source }]);
});

test.each([
  ['no response', 'application/json', '', mcpSources.reply, 'none'],
  ['another id', 'application/json', json({ id: 'o', result: {} }), mcpSources.sameId, 'a response with the id "o"'],
  ['no id', 'application/json', json({ error: { code: 1 } }), mcpSources.sameId, 'error {"code":1} without an id'],
  [
    'a notification',
    'application/json',
    json({ id: undefined, method: 'x' }),
    mcpSources.reply,
    'only a message of the server, "x",',
  ],
  ['text', 'text/plain', 'pong', mcpSources.mediaTypes, 'none'],
])('%s breaks a sentence of its own, and the verdict says what was received', (_, type, text, source, actual) => {
  const response = { status: 200, headers: { 'content-type': type }, text, json: undefined };
  expect(hasResponse({ exchange: { ...testExchange, response } })).toMatchObject([
    { source, actual: `${actual} in status 200, ${type}` },
  ]);
});
