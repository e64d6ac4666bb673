/** Checks that a session that the client has ended is unknown from then on. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { sendMessage } from '../kit/mcp/post.ts';
import type { Session } from '../kit/mcp/session.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import type { Exchange } from '../target/client.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { hasTools, unlistedCall } from './tools.ts';

/** How long an instance of a server may not know that another one has ended the session. */
const MAX_DELAY_SECONDS = 5;

const isUnknown = ({ response }: Exchange): boolean => response.status === 404;
const isServed = (exchange: Exchange | undefined): exchange is Exchange =>
  exchange !== undefined && isSuccessful(exchange);

/** A server may not allow clients to end sessions: then nothing has ended. */
export async function endedSessionMismatches(run: Run, endpoint: Endpoint, session: Session): Promise<Mismatch[]> {
  const ended = await session.end();
  if (ended === undefined || !isSuccessful(ended)) return [];
  const seconds = Math.min(MAX_DELAY_SECONDS, run.patienceSeconds);
  const send = async (method: string, params?: object): Promise<Exchange> => {
    const request = async () => (await session.request(method, params)).exchange;
    return eventually(request, isUnknown, seconds);
  };
  const found = status(await send('ping'), 404);
  if (found.length === 0) {
    if (hasTools(session)) {
      found.push(...status(await send('tools/list'), 404));
      found.push(...notServed(await send('tools/call', unlistedCall)));
    }
    for (const request of otherRequests(run, endpoint, session))
      found.push(...notServed(await eventually(request, (exchange) => !isServed(exchange), seconds)));
  }
  return citing(
    mcpSources.endedSession,
    found.map((each) => ({ ...each, before: [ended] })),
  );
}

/** Another refusal may be about the method, or about the tool, which no server has. */
const notServed = (exchange: Exchange | undefined): Mismatch[] => (isServed(exchange) ? status(exchange, 404) : []);

/** Those that are no JSON-RPC requests. A head may be undefined: that of a stream may come only with the first event. */
function otherRequests(run: Run, endpoint: Endpoint, { headers }: Session): (() => Promise<Exchange | undefined>)[] {
  const { get, delete: remove, path } = endpoint;
  const listening = { Accept: 'text/event-stream', ...headers };
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  return [
    () => sendMessage({ run, endpoint, headers }, notification),
    () => headBeforeEvents(run.client, get, { path, headers: listening }),
    () => run.client.call(remove, { path, headers }),
  ];
}
