/** A session with an MCP server, of either era: started, used request by request, and ended (MCP 2025-11-25, Lifecycle). */
import { NotTried } from '../../engine/conforms.ts';
import type { Run } from '../../engine/conforms.ts';
import { eventually, isAwake } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import type { Endpoint } from './endpoints.ts';
import { erasOf, initializeMessage, isFinal, isStarted, sessionHeaders, unsupportedEras, versionIn } from './eras.ts';
import type { Eras } from './eras.ts';
import { errorCodeIn } from './messages.ts';
import type { MessageId } from './messages.ts';
import { MODERN_VERSION, modernInput, sendModern } from './modern.ts';
import { RESPONSE_SECONDS, request, sendMessage } from './post.ts';
import type { McpResponse, Connection } from './post.ts';
import { sessionStarts, UNLIMITED_STARTS } from './session-starts.ts';

/**
 * In a row, for one request. A server may end a session at any time: after a 404 the client starts a new one (MCP 2025-11-25,
 * Session Management).
 */
const MAX_RENEWALS = 4;

interface WithExchange {
  readonly exchange: Exchange;
}

export interface Session {
  /** Whether the protocol has no sessions: each request stands alone (MCP 2026-07-28). */
  readonly isModern: boolean;
  /** The response to the first `initialize`, or to `server/discover`. */
  readonly started: McpResponse;
  /** The version that the server chose. Undefined if it named none. A renewed session may have another one. */
  readonly protocolVersion: string | undefined;
  /** Undefined if the server has no sessions. Changes when a session is renewed. */
  readonly sessionId: string | undefined;
  /** The response to the first `notifications/initialized`. Absent if `initialize` failed. */
  readonly accepted?: Exchange;
  /** The headers of a message that is sent otherwise. */
  readonly headers: HeaderInput;
  /**
   * Sends another request with these headers, and again in a new session if the server has ended this one. Throws NotTried if it
   * ends each new one before it responds, but not always.
   */
  send<Sent extends WithExchange>(request: (headers: HeaderInput) => Promise<Sent>): Promise<Sent>;
  /** `id` defaults to the next number. No id may be used twice. `mirrored`: headers that repeat arguments of a tool. */
  request(method: string, params?: object, id?: MessageId, mirrored?: HeaderInput): Promise<McpResponse>;
  /** Undefined if there is no session to end. An ended session is ended once, and never renewed. */
  end(): Promise<Exchange | undefined>;
}

export interface SessionOptions {
  /** The protocol version that the client offers. Defaults to the newest. */
  readonly offered?: string;
  /** Whether a server that has started may refuse the version. Otherwise every error may come from one that is starting. */
  readonly mayBeRefused?: boolean;
  /** Whether the caller prevents that other sessions start meanwhile. */
  readonly isAlone?: boolean;
}

/** Starts a session, uses it and ends it, even if `use` throws. */
export async function inSession<Result>(
  run: Run,
  endpoint: Endpoint,
  use: (session: Session) => Promise<Result>,
  options?: SessionOptions,
): Promise<Result> {
  const session = await startSession(run, endpoint, options);
  try {
    return await use(session);
  } finally {
    await session.end();
  }
}

/** The same while no other session of the run starts, which may end this one. */
export async function inSessionAlone<Result>(
  run: Run,
  endpoint: Endpoint,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { alone } = await sessionStarts(run);
  return alone(() => inSession(run, endpoint, use, { isAlone: true }));
}

/** The same with a session of each era that the server supports. Throws NotTried if the server supports none. */
export async function withSessions<Result>(
  run: Run,
  endpoint: Endpoint,
  use: (sessions: readonly Session[]) => Promise<Result>,
): Promise<Result> {
  const eras = await erasOf(run, endpoint);
  const modern = isStarted(eras.discovered) ? [modernSession(run, endpoint, eras)] : [];
  if (!eras.isLegacy) {
    run.need(modern.length, unsupportedEras(eras));
    return use(modern);
  }
  return inSession(run, endpoint, (session) => {
    run.need(isStarted(session.started), unsupportedEras({ ...eras, initialized: session.started }));
    return use([session, ...modern]);
  });
}

/** Without its own `server/discover`: the server has responded to it before. `client`: its name, if it is another one. */
export function modernSession(
  run: Run,
  endpoint: Endpoint,
  { discovered }: Pick<Eras, 'discovered'>,
  client?: string,
): Session {
  let last = 0;
  const headers = { 'MCP-Protocol-Version': MODERN_VERSION };
  return {
    isModern: true,
    started: discovered,
    protocolVersion: MODERN_VERSION,
    sessionId: undefined,
    headers,
    send: (sendRequest) => sendRequest(headers),
    request: (method, params, id = (last += 1), mirrored = {}) =>
      sendModern(run, endpoint, modernInput(id, method, params, { mirrored, ...(client !== undefined && { client }) })),
    end: async () => undefined,
  };
}

export async function startSession(run: Run, endpoint: Endpoint, options: SessionOptions = {}): Promise<Session> {
  const starts = options.isAlone === true ? UNLIMITED_STARTS : await sessionStarts(run);
  const startNew = () => start(run, endpoint, options);
  let current = await starts.start(startNew);
  for (let renewals = 0; renewals < MAX_RENEWALS && isLostAtStart(current); renewals += 1)
    current = await starts.alone(startNew);
  /** Whether any of the sessions was good for a request. */
  let hasServed = false;
  /** The last request that is sent again. Others wait for it, because a session may be good for one request only. */
  let repeated: Promise<unknown> | undefined;
  let ending: Promise<Exchange | undefined> | undefined;
  let last = 0;

  async function sendOnce<Sent extends WithExchange>(
    sendRequest: (headers: HeaderInput) => Promise<Sent>,
  ): Promise<Sent> {
    const sent = await sendRequest(current.headers);
    hasServed ||= !isUnknown(sent.exchange);
    return sent;
  }

  async function send<Sent extends WithExchange>(sendRequest: (headers: HeaderInput) => Promise<Sent>): Promise<Sent> {
    await repeated?.catch(() => undefined); // Reported to that request.
    const used = current;
    const sent = await sendOnce(sendRequest);
    if (!isUnknown(sent.exchange) || used.sessionId === undefined || ending !== undefined) return sent;
    const again = starts.alone(() => sendAgain(sendRequest, used));
    repeated = again;
    return again;
  }

  /** In the session by which another request has replaced the lost one, or in a new one. */
  async function sendAgain<Sent extends WithExchange>(
    sendRequest: (headers: HeaderInput) => Promise<Sent>,
    lost: StartedSession,
  ): Promise<Sent> {
    let sent = current === lost ? undefined : await sendOnce(sendRequest);
    for (let renewals = 0; ; renewals += 1) {
      if (sent !== undefined && !isUnknown(sent.exchange)) return sent;
      if (sent !== undefined && renewals === MAX_RENEWALS) break;
      current = await startNew();
      sent = await sendOnce(sendRequest);
    }
    // The request is refused with 404, although the session exists.
    if (!hasServed || !isUnknown((await ping(current)).exchange)) return sent;
    throw new NotTried(
      `a session that lasts: the MCP server ended ${MAX_RENEWALS} new ones before their first response`,
    );
  }

  const ping = ({ headers }: StartedSession) =>
    requestOf({ run, endpoint, headers }, 'ping', undefined, 'assay-exists');

  async function endCurrent(): Promise<Exchange | undefined> {
    await repeated?.catch(() => undefined);
    const { sessionId, headers } = current;
    if (sessionId === undefined) return undefined;
    return run.client.call(endpoint.delete, { path: endpoint.path, headers });
  }

  const { started, accepted } = current;
  return {
    isModern: false,
    started,
    ...(accepted && { accepted }),
    get protocolVersion() {
      return current.protocolVersion;
    },
    get sessionId() {
      return current.sessionId;
    },
    get headers() {
      return current.headers;
    },
    send,
    request: (method, params, id = (last += 1)) =>
      send((headers) => requestOf({ run, endpoint, headers }, method, params, id)),
    end: () => (ending ??= endCurrent()),
  };
}

/** The status for an unknown session; that of an unknown method has its own error. */
const isUnknown = ({ response }: Exchange): boolean =>
  response.status === 404 && errorCodeIn(response) !== UNKNOWN_METHOD;

const UNKNOWN_METHOD = -32_601;

function requestOf(
  connection: Connection,
  method: string,
  params: object | undefined,
  id: MessageId,
): Promise<McpResponse> {
  const message = { jsonrpc: '2.0', id, method, ...(params && { params }) };
  // Tools may be slow.
  return request(connection, id, message, method === 'tools/call' ? undefined : RESPONSE_SECONDS);
}

type StartedSession = Pick<Session, 'started' | 'protocolVersion' | 'sessionId' | 'accepted'> & {
  readonly headers: HeaderInput;
};

const isLostAtStart = ({ accepted }: StartedSession): boolean => accepted !== undefined && isUnknown(accepted);

async function start(run: Run, endpoint: Endpoint, options: SessionOptions): Promise<StartedSession> {
  const started = await initialize(run, endpoint, options);
  const protocolVersion = versionIn(started);
  const sessionId = started.exchange.response.headers['mcp-session-id'];
  const headers = sessionHeaders(started);
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = isStarted(started) ? await sendMessage({ run, endpoint, headers }, initialized) : undefined;
  return {
    started,
    protocolVersion,
    sessionId,
    ...(accepted && { accepted }),
    headers,
  };
}

async function initialize(run: Run, endpoint: Endpoint, options: SessionOptions): Promise<McpResponse> {
  const { offered, mayBeRefused = false } = options;
  const message = initializeMessage(offered);
  return eventually(
    () => request({ run, endpoint, headers: {} }, 0, message),
    (response) => (mayBeRefused ? isAwake(response.exchange) : isFinal(response)),
    run.patienceSeconds,
  );
}
