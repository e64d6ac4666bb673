/** Every header that an MCP endpoint sends for its clients is documented. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentOf } from '../../../spec/documents.ts';
import { eachOperation, keyFor, resolve, type Surface } from '../../../spec/openapi-document.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { begin, functionPath, initialize, request, sandboxPath, send, type Sent } from '../../testing/mcp-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock({ clock: 'frozen' });
});
afterAll(() => mock.close());

/** Headers of HTTP itself, which have the same meaning in every response. */
const isGeneral = (name: string): boolean =>
  /^(?:cache-control|connection|content-(?:length|type)|date|keep-alive|transfer-encoding|x-accel-buffering)$/.test(
    name,
  );

const currentParams = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const currentHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };

/** In a session, unless `headers` begin none. */
const requests: readonly [what: string, sent: Sent, isInSession: boolean, expected: readonly string[]][] = [
  ['initialize', { body: initialize }, false, ['mcp-session-id']],
  ['a request of a session', { body: request(1, 'tools/list') }, true, ['mcp-session-id']],
  ['a notification', { body: { jsonrpc: '2.0', method: 'notifications/initialized' } }, true, []],
  ['a stream', { method: 'GET' }, true, ['mcp-session-id']],
  ['the end of a session', { method: 'DELETE' }, true, []],
  ['a request without a session', { body: request(1, 'tools/list') }, false, []],
  ['a request of 2026-07-28', { body: request(1, 'tools/list', currentParams), headers: currentHeaders }, false, []],
  [
    'a request without a credential',
    { body: initialize, headers: { authorization: undefined } },
    false,
    ['www-authenticate'],
  ],
];

const endpoints: readonly [surface: Surface, path: string][] = [
  ['inference', functionPath],
  ['sandbox', sandboxPath],
];

function documentedHeaders(surface: Surface, method: string, status: number): string[] {
  const document = documentOf(surface);
  const found = eachOperation(document).find(
    ({ operation }) =>
      operation.operationId === `${method.toLowerCase()}${surface === 'sandbox' ? 'Sandbox' : 'Function'}Mcp`,
  );
  if (found === undefined) throw new Error(`The ${surface} document has no ${method} of MCP.`);
  const { responses } = found.operation;
  const { headers = {} } = resolve(document, responses[keyFor(status, Object.keys(responses)) ?? ''] ?? {});
  return Object.keys(headers).map((name) => name.toLowerCase());
}

test.each(
  endpoints.flatMap(([surface, path]) =>
    requests.map(([what, ...rest]): [string, Surface, string, ...typeof rest] => [what, surface, path, ...rest]),
  ),
)(
  'the headers of the response to %s are documented for the %s API',
  async (_, surface, path, sent, isInSession, expected) => {
    const headers = { ...(isInSession && (await begin(mock, path))), ...sent.headers };
    const end = new AbortController();
    const response = await send(mock, { ...sent, path, headers, signal: end.signal });
    end.abort();
    const names = [...response.headers.keys()].filter((name) => !isGeneral(name));
    expect(names).toEqual(expected);
    const documented = documentedHeaders(surface, sent.method ?? 'POST', response.status);
    expect(names.filter((name) => !documented.includes(name))).toEqual([]);
  },
);
