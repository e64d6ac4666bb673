/** Checks that notifications get no reply, even if their method is unknown (JSON-RPC 2.0 section 4.1). */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citingInstead } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isHttpError } from '../expect/status.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { isAccepted } from '../kit/mcp/expect.ts';
import { messagesIn } from '../kit/mcp/messages.ts';
import { modernInput } from '../kit/mcp/modern.ts';
import { sendMessage } from '../kit/mcp/post.ts';
import type { Session } from '../kit/mcp/session.ts';

/** A request that was never sent may be unknown, because its response may have been on the way. */
const cancellation = { method: 'notifications/cancelled', params: { requestId: 'assay-unknown' } };
const notifications: readonly { readonly method: string; readonly params?: object }[] = [
  { method: 'assay/unknown' },
  cancellation,
];

/** A server that cannot accept a notification returns an HTTP error with any body (MCP 2025-11-25, Transports). */
export async function notificationMismatches(run: Run, endpoint: Endpoint, session: Session): Promise<Mismatch[]> {
  const found: Mismatch[] = [];
  for (const each of notifications) {
    const { headers, body } = session.isModern
      ? modernInput(undefined, each.method, each.params)
      : { headers: session.headers, body: { jsonrpc: '2.0', ...each } };
    const exchange = await sendMessage({ run, endpoint, headers }, body);
    if (isHttpError(exchange)) continue;
    const replied = messagesIn(exchange.response, exchange.response.text).length > 0;
    const own = isAccepted(exchange);
    found.push(...(replied ? citingInstead(mcpSources.notification, own) : own));
  }
  return found;
}
