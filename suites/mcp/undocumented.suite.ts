/** What MCP leaves to the server. */
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { functionEndpoint, sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { fieldsOf } from '../json/fields.ts';
import { isEventStream, isJsonResponse } from '../kit/mcp/messages.ts';
import { beginSession, protocolVersions } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';

observes('mcp.undocumented.session-and-capabilities', async (run) => {
  const { resources, addresses } = run.target;
  const endpoints: Record<string, Endpoint> = {
    ...(resources.function !== undefined && { function: functionEndpoint(resources.function) }),
    ...(addresses.sandbox !== undefined && { sandbox: sandboxEndpoint }),
  };
  run.need(Object.keys(endpoints).length, 'a function, or a sandbox and its address');
  for (const [name, endpoint] of Object.entries(endpoints)) {
    await observeSession(run, name, endpoint);
    await observeVersions(run, name, endpoint);
  }
});

async function observeVersions(run: Run, name: string, endpoint: Endpoint): Promise<void> {
  for (const offered of [...protocolVersions, '2024-11-05', '1999-12-31']) {
    const session = await beginSession(run, endpoint, { offered, seconds: 0 });
    const { exchange, message } = session.begun;
    const code = fieldsOf(message?.error)?.['code'];
    const refused = code === undefined ? `status ${exchange.response.status}` : `error ${JSON.stringify(code)}`;
    run.observe(`${name}: version offered ${offered}`, session.protocolVersion ?? refused);
    await session.end();
  }
}

async function observeSession(run: Run, name: string, endpoint: Endpoint): Promise<void> {
  const session = await beginSession(run, endpoint);
  const { begun, sessionId } = session;
  const capabilities = Object.keys(fieldsOf(fieldsOf(begun.message?.result)?.['capabilities']) ?? {}).toSorted();
  run.observe(`${name}: session id`, sessionId === undefined ? 'none' : 'given');
  run.observe(`${name}: an answer comes as`, formOf(begun.exchange));
  run.observe(`${name}: capabilities`, capabilities.join(', ') || 'none');
  run.observe(`${name}: GET`, await got(run, endpoint, session));
  const ended = await session.end();
  run.observe(`${name}: DELETE`, ended === undefined ? 'no session to end' : String(ended.response.status));
  if (ended === undefined) return;
  const { exchange } = await session.request('ping');
  run.observe(`${name}: ping after DELETE`, String(exchange.response.status));
}

const formOf = ({ response }: Exchange): string =>
  isEventStream(response) ? 'an event stream' : isJsonResponse(response) ? 'JSON' : `status ${response.status}`;

/** A stream that opens is closed at once. */
async function got({ client }: Run, { get, path }: Endpoint, { sessionId, protocolVersion }: Session): Promise<string> {
  const headers = { Accept: 'text/event-stream', 'Mcp-Session-Id': sessionId, 'MCP-Protocol-Version': protocolVersion };
  const head = (await headBeforeEvents(client.open(get, { path, headers })))?.response;
  if (head === undefined) return 'no answer while nothing is told';
  return isEventStream(head) ? `${head.status}, an event stream` : String(head.status);
}
