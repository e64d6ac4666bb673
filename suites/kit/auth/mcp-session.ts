/** The start of an MCP session, for rules about credentials. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/run.ts';
import { RESPONSE_SECONDS } from '../mcp/post.ts';
import { sessionStarts } from '../mcp/session-starts.ts';
import type { Client } from '../../target/client.ts';
import type { CallInput, HeaderInput } from '../../target/request-types.ts';

const VERSION = '2025-06-18';

/** Accepts both responses of the streamable HTTP transport: JSON and event streams. */
const accepting = { Accept: 'application/json, text/event-stream' };

export const withBothMediaTypes = ({ headers, body }: Pick<CallInput, 'body' | 'headers'>): CallInput => ({
  headers: { ...headers, ...accepting },
  body,
});

export const mcpInitialize: Pick<CallInput, 'body' | 'headers'> = {
  headers: accepting,
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'assay', version: '1' } },
  },
};

/** Starts a session and returns its headers: only the version's if the server has no sessions. */
export async function mcpSession(
  run: Pick<Run, 'shared'>,
  client: Client,
  post: OperationId,
  path: Record<string, string>,
): Promise<HeaderInput> {
  const { start } = await sessionStarts(run);
  return start(() => startSession(client, post, path));
}

async function startSession(client: Client, post: OperationId, path: Record<string, string>): Promise<HeaderInput> {
  const stream = await client.open(post, { path, ...mcpInitialize });
  await stream.until((text) => text.includes('"result"') || text.includes('"error"'), RESPONSE_SECONDS);
  const { response } = await stream.close();
  const id = response.headers['mcp-session-id'];
  const headers = {
    ...accepting,
    'Mcp-Protocol-Version': VERSION,
    ...(id === undefined ? {} : { 'Mcp-Session-Id': id }),
  };
  if (id !== undefined)
    await client.call(post, { path, headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  return headers;
}
