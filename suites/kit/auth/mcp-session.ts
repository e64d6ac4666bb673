/** The beginning of an MCP session, as far as the question who may have one needs it. */
import type { OperationId } from '../../../spec/operations.ts';
import { RESPONSE_SECONDS } from '../mcp/post.ts';
import type { Client } from '../../target/client.ts';
import type { CallInput, HeaderInput } from '../../target/request-types.ts';

const VERSION = '2025-06-18';

/** Both answers of the streamable HTTP transport are welcome: JSON, or a stream of events. */
const accepting = { Accept: 'application/json, text/event-stream' };

export const mcpInitialize: Pick<CallInput, 'body' | 'headers'> = {
  headers: accepting,
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: VERSION, capabilities: {}, clientInfo: { name: 'assay', version: '1' } },
  },
};

/** Opens one, and gives the headers that belong to it; only the version's where the server keeps no sessions. */
export async function mcpSession(
  client: Client,
  post: OperationId,
  path: Record<string, string>,
): Promise<HeaderInput> {
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
