/** Checks that a notification gets no reply, even if its method is unknown (JSON-RPC 2.0 section 4.1). */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citingInstead } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { isAccepted } from '../kit/mcp/expect.ts';
import { messagesIn } from '../kit/mcp/messages.ts';
import { sendMessage } from '../kit/mcp/post.ts';
import type { Session } from '../kit/mcp/session.ts';

/** A server that cannot accept a notification returns an HTTP error with any body (MCP 2025-11-25, Transports). */
export async function unknownNotificationMismatches(
  run: Run,
  endpoint: Endpoint,
  session: Session,
): Promise<Mismatch[]> {
  const connection = { run, endpoint, headers: session.headers };
  const exchange = await sendMessage(connection, { jsonrpc: '2.0', method: 'assay/unknown' });
  if (exchange.response.status >= 400) return [];
  const replied = messagesIn(exchange.response, exchange.response.text).length > 0;
  const found = isAccepted(exchange);
  return replied ? citingInstead(mcpSources.notification, found) : found;
}
