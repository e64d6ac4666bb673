/** Calls MCP endpoints of a running mock with the official client or message by message. */
import { Client, StreamableHTTPClientTransport, type ClientOptions } from '@modelcontextprotocol/client';
import type { RunningMock } from '../start-mock.ts';

export const functionPath = '/demo/functions/demo-tools/mcp';
export const everythingPath = '/demo/functions/everything/mcp';
export const sandboxPath = '/sandbox/demo/demo-box/mcp';

export function bearer({ target }: RunningMock): { authorization: string } {
  return { authorization: `Bearer ${target.credentials.admin.value}` };
}

/** `await using` it: the session ends with the client. */
export async function connect(mock: RunningMock, path: string, options: ClientOptions = {}) {
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const transport = new StreamableHTTPClientTransport(new URL(mock.addresses.host + path), {
    requestInit: { headers: bearer(mock) },
  });
  await client.connect(transport);
  const dispose = async () => {
    if (transport.sessionId !== undefined) await transport.terminateSession();
    await client.close();
  };
  return { client, transport, [Symbol.asyncDispose]: dispose };
}

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string | undefined>;
  /** A string goes out as it is. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** Sends one request with all required headers. Undefined omits a header. */
export function send(mock: RunningMock, { method = 'POST', path = functionPath, headers, body, signal }: Sent) {
  const all = {
    ...bearer(mock),
    accept: 'application/json, text/event-stream',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return fetch(mock.addresses.host + path, {
    method,
    headers: sent,
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    signal: signal ?? null,
  });
}

export function request(id: number, method: string, params: object = {}) {
  return { jsonrpc: '2.0', id, method, params };
}

export const initialize = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'test', version: '1.0.0' },
});

/** The headers of a session that has just begun. */
export async function begin(mock: RunningMock, path = functionPath): Promise<{ 'mcp-session-id': string }> {
  const response = await send(mock, { path, body: initialize });
  await response.text();
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
  await send(mock, { path, headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return session;
}

/** The messages of a whole event stream. */
export async function messages(response: Response): Promise<ReturnType<typeof JSON.parse>[]> {
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: {'));
  return lines.map((line) => JSON.parse(line.slice('data: '.length)));
}
