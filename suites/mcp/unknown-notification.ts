/** Checks that a notification gets no reply, even if its method is unknown (JSON-RPC 2.0 section 4.1). */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { isAccepted } from '../kit/mcp/expect.ts';
import { sendMessage } from '../kit/mcp/post.ts';
import { sessionHeaders } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';

/** A server that cannot accept a notification returns an HTTP error with any body (MCP 2025-11-25, Transports). */
export async function unknownNotificationMismatches(
  run: Run,
  endpoint: Endpoint,
  session: Session,
): Promise<Mismatch[]> {
  const connection = { run, endpoint, headers: sessionHeaders(session) };
  const exchange = await sendMessage(connection, { jsonrpc: '2.0', method: 'assay/unknown' });
  return exchange.response.status >= 400 ? [] : isAccepted(exchange);
}
