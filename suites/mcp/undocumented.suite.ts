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
import { erasOf, isStarted, unsupportedEras } from '../kit/mcp/eras.ts';
import type { Eras } from '../kit/mcp/eras.ts';
import { errorCodeIn, isEventStream, isJsonResponse } from '../kit/mcp/messages.ts';
import { inSessionAlone, startSession } from '../kit/mcp/session.ts';
import type { Session } from '../kit/mcp/session.ts';

observes('mcp.undocumented.session-and-capabilities', async (run) => {
  const { resources, addresses } = run.target;
  const endpoints: readonly (readonly [McpServer, Endpoint])[] = [
    ...(resources.function === undefined ? [] : [['function', functionEndpoint(resources.function)] as const]),
    ...(addresses.sandbox === undefined ? [] : [['sandbox', sandboxEndpoint] as const]),
  ];
  run.need(endpoints.length, 'a function, or a sandbox and its address');
  for (const [name, endpoint] of endpoints) {
    const eras = await erasOf(run, endpoint);
    const observe = async (offered: OfferedVersion | undefined) => {
      await (offered === undefined
        ? observeEras(run, name, endpoint, eras)
        : observeVersion(run, name, endpoint, offered));
      return [];
    };
    const isSupported = eras.isLegacy || eras.isModern;
    run.need(isSupported, unsupportedEras(eras));
    await run.forEach([undefined, ...OFFERED_VERSIONS], observe, { sequential: true });
  }
});

type OfferedVersion = (typeof OFFERED_VERSIONS)[number];

async function observeVersion(run: Run, name: McpServer, endpoint: Endpoint, offered: OfferedVersion): Promise<void> {
  const session = await startSession(run, endpoint, { offered, mayBeRefused: true });
  const { exchange } = session.started;
  const code = errorCodeIn(exchange.response);
  const refused = code === undefined ? { status: exchange.response.status } : { errorCode: code as Json };
  const version = session.protocolVersion;
  run.observe(`${name}: version offered ${offered}`, version === undefined ? refused : { version });
  await session.end();
}

async function observeEras(run: Run, name: McpServer, endpoint: Endpoint, eras: Eras): Promise<void> {
  const { isLegacy, isModern, initialized, discovered } = eras;
  run.observe(`${name}: era`, isLegacy ? (isModern ? 'dual-era' : 'legacy') : 'modern');
  const first = isLegacy ? initialized : discovered;
  // A server may accept version 2026-07-28 without server/discover, although it must not.
  if (isStarted(first)) {
    const capabilities = Object.keys(fieldsOf(fieldsOf(first.message?.result)?.['capabilities']) ?? {}).toSorted();
    run.observe(`${name}: delivery of responses`, deliveryOf(first.exchange));
    run.observe(`${name}: capabilities`, capabilities);
  }
  if (isLegacy) await observeSession(run, name, endpoint);
}

interface ObservedSession {
  readonly sessionId: string | undefined;
  readonly head: Awaited<ReturnType<typeof got>>;
  /** Undefined if there is no session to end. */
  readonly ended?: { readonly status: number; readonly statusAfter: number };
}

/** Other clients may start sessions at any time. */
const MAX_SESSIONS = 3;

async function observeSession(run: Run, name: McpServer, endpoint: Endpoint): Promise<void> {
  const observeOnce = () => inSessionAlone(run, endpoint, (session) => sessionUntilEnd(run, endpoint, session));
  let observed = await observeOnce();
  for (let count = 1; count < MAX_SESSIONS && isReplaced(observed); count += 1) observed = await observeOnce();
  const { sessionId, head, ended } = observed;
  run.observe(`${name}: session id`, sessionId === undefined ? 'none' : 'given');
  run.observe(`${name}: GET`, head);
  run.observe(`${name}: DELETE`, ended === undefined ? 'no session' : { status: ended.status });
  if (ended !== undefined) run.observe(`${name}: ping after DELETE`, { status: ended.statusAfter });
}

async function sessionUntilEnd(run: Run, endpoint: Endpoint, session: Session): Promise<ObservedSession> {
  const { sessionId } = session;
  const head = await got(run, endpoint, session);
  const ended = await session.end();
  if (ended === undefined) return { sessionId, head };
  const { exchange } = await session.request('ping');
  return { sessionId, head, ended: { status: ended.response.status, statusAfter: exchange.response.status } };
}

/** Whether the session may have been unknown before its end, because another one has replaced it. */
const isReplaced = ({ ended }: ObservedSession): boolean => ended?.status === 404 && ended.statusAfter === 404;

const deliveryOf = ({ response }: Exchange) =>
  isEventStream(response) ? 'event stream' : isJsonResponse(response) ? 'JSON' : { status: response.status };

/** A stream that opens is closed at once. */
async function got({ client }: Run, { get, path }: Endpoint, session: Session) {
  const headers = { Accept: 'text/event-stream', ...session.headers };
  const head = (await headBeforeEvents(client, get, { path, headers }))?.response;
  if (head === undefined) return NO_RESPONSE;
  return { status: head.status, ...(isEventStream(head) && { mediaType: 'text/event-stream' }) };
}
