/** Checks that GET on an MCP endpoint opens an event stream, unless it is refused (MCP 2025-11-25, Transports). */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { isEventStream } from '../kit/mcp/messages.ts';
import type { Session } from '../kit/mcp/session.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

/** A server may send the head of a stream only with its first event. Any error is accepted: the session may have ended. */
export async function getMismatches({ client }: Run, { get, path }: Endpoint, session: Session): Promise<Mismatch[]> {
  const headers = { Accept: 'text/event-stream', ...session.headers };
  const exchange = await headBeforeEvents(client, get, { path, headers });
  return exchange === undefined || !isSuccessful(exchange) || isEventStream(exchange.response)
    ? []
    : noEventStream(exchange);
}

export function noEventStream(exchange: Exchange): Mismatch[] {
  const { status, headers: responseHeaders } = exchange.response;
  const actual = `status ${status}, ${responseHeaders['content-type'] ?? 'no Content-Type'}`;
  return citing(mcpSources.get, [{ expected: 'text/event-stream or status 405 for GET', actual, exchange }]);
}
