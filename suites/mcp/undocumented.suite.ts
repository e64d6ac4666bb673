/** What MCP leaves to the server. */
import { OFFERED_VERSIONS, type McpServer } from '../../spec/observations/observation-points.ts';
import { NO_RESPONSE, type Json } from '../../spec/observations/value-kind.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import { headBeforeEvents } from '../kit/stream-head.ts';
import { functionEndpoint, sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import type { Endpoint } from '../kit/mcp/endpoints.ts';
import { fieldsOf } from '../json/fields.ts';
import { isEventStream, isJsonResponse } from '../kit/mcp/messages.ts';
import { sessionHeaders, startSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';

observes('mcp.undocumented.session-and-capabilities', async (run) => {
  const { resources, addresses } = run.target;
  const endpoints: readonly (readonly [McpServer, Endpoint])[] = [
    ...(resources.function === undefined ? [] : [['function', functionEndpoint(resources.function)] as const]),
    ...(addresses.sandbox === undefined ? [] : [['sandbox', sandboxEndpoint] as const]),
  ];
  run.need(endpoints.length, 'a function, or a sandbox and its address');
  for (const [name, endpoint] of endpoints) {
    const observe = async (offered: OfferedVersion | undefined) => {
      await (offered === undefined
        ? observeSession(run, name, endpoint)
        : observeVersion(run, name, endpoint, offered));
      return [];
    };
    await run.forEach([undefined, ...OFFERED_VERSIONS], observe, { sequential: true });
  }
});

type OfferedVersion = (typeof OFFERED_VERSIONS)[number];

async function observeVersion(run: Run, name: McpServer, endpoint: Endpoint, offered: OfferedVersion): Promise<void> {
  const session = await startSession(run, endpoint, { offered, mayBeRefused: true });
  const { exchange, message } = session.started;
  const code = fieldsOf(message?.error)?.['code'];
  const refused = code === undefined ? { status: exchange.response.status } : { errorCode: code as Json };
  const version = session.protocolVersion;
  run.observe(`${name}: version offered ${offered}`, version === undefined ? refused : { version });
  await session.end();
}

async function observeSession(run: Run, name: McpServer, endpoint: Endpoint): Promise<void> {
  const session = await startSession(run, endpoint);
  const { started: begun, sessionId } = session;
  const capabilities = Object.keys(fieldsOf(fieldsOf(begun.message?.result)?.['capabilities']) ?? {}).toSorted();
  run.observe(`${name}: session id`, sessionId === undefined ? 'none' : 'given');
  run.observe(`${name}: delivery of responses`, deliveryOf(begun.exchange));
  run.observe(`${name}: capabilities`, capabilities);
  run.observe(`${name}: GET`, await got(run, endpoint, session));
  const ended = await session.end();
  run.observe(`${name}: DELETE`, ended === undefined ? 'no session' : { status: ended.response.status });
  if (ended === undefined) return;
  const { exchange } = await session.request('ping');
  run.observe(`${name}: ping after DELETE`, { status: exchange.response.status });
}

const deliveryOf = ({ response }: Exchange) =>
  isEventStream(response) ? 'event stream' : isJsonResponse(response) ? 'JSON' : { status: response.status };

/** A stream that opens is closed at once. */
async function got({ client }: Run, { get, path }: Endpoint, session: Session) {
  const headers = { Accept: 'text/event-stream', ...sessionHeaders(session) };
  const head = (await headBeforeEvents(client.open(get, { path, headers })))?.response;
  if (head === undefined) return NO_RESPONSE;
  return { status: head.status, ...(isEventStream(head) && { mediaType: 'text/event-stream' }) };
}
