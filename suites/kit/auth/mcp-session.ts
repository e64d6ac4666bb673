/** The start of an MCP session, for rules about credentials. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/run.ts';
import { findResponse, messagesIn } from '../mcp/messages.ts';
import type { Message } from '../mcp/messages.ts';
import { RESPONSE_SECONDS } from '../mcp/post.ts';
import { sessionStarts } from '../mcp/session-starts.ts';
import type { Client } from '../../target/client.ts';
import type { CallInput, HeaderInput } from '../../target/request-types.ts';

const VERSION = '2025-06-18';
const INITIALIZE_ID = 1;

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
    id: INITIALIZE_ID,
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

/** Other clients may start sessions at any time, which end this one. */
const MAX_STARTS = 3;

async function startSession(client: Client, post: OperationId, path: Record<string, string>): Promise<HeaderInput> {
  for (let count = 1; ; count += 1) {
    const { headers, isLost } = await startOnce(client, post, path);
    if (!isLost || count === MAX_STARTS) return headers;
  }
}

async function startOnce(client: Client, post: OperationId, path: Record<string, string>) {
  const stream = await client.open(post, { path, ...mcpInitialize });
  const isComplete = ({ result, error }: Message): boolean => result !== undefined || error !== undefined;
  await stream.until((text) => messagesIn(stream, text).some(isComplete), RESPONSE_SECONDS);
  const { response } = await stream.close();
  const id = response.headers['mcp-session-id'];
  const headers = {
    ...accepting,
    'Mcp-Protocol-Version': VERSION,
    ...(id === undefined ? {} : { 'Mcp-Session-Id': id }),
  };
  const result = findResponse(INITIALIZE_ID, messagesIn(response, response.text))?.result;
  if (id === undefined || result === undefined) return { headers, isLost: false };
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = await client.call(post, { path, headers, body: initialized });
  return { headers, isLost: accepted.response.status === 404 };
}
