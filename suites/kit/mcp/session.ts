/** A session with an MCP server, of either era: started, used request by request, and ended (MCP 2025-11-25, Lifecycle). */
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
import { sharedValue } from '../../engine/shared-values.ts';

const sessionCount = sharedValue<{ started: number }>();

/**
 * A session that was idle for longer may have expired: after a 404 another one is started (MCP 2025-11-25, Session
 * Management).
 */
const IDLE_SECONDS = 5;

/**
 * The number of sessions that the run has started at any endpoint. A server may allow one session at a time and end the
 * previous one when another starts.
 */
const sessionsOf = (run: Run): Promise<{ started: number }> => sessionCount.get(run, async () => ({ started: 0 }));

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
  /** Undefined if the server has no sessions. Changes when an expired session is renewed. */
  readonly sessionId: string | undefined;
  /** The response to the first `notifications/initialized`. Absent if `initialize` failed. */
  readonly accepted?: Exchange;
  /** The headers of a message that is sent otherwise. */
  readonly headers: HeaderInput;
  /** Sends another request with these headers, and once more in a new session if this one has expired. */
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
  /**
   * Whether the server may end the session at any time (MCP 2025-11-25, Session Management). Otherwise only an idle one, or when
   * another one begins, so that servers whose sessions cannot be used are noticed.
   */
  readonly mayEnd?: boolean;
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

/**
 * The same with a session of each era that the server supports, for checks that are not about sessions: it may end at any
 * time. Throws NotTried if the server supports none.
 */
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
  return inSession(
    run,
    endpoint,
    (session) => {
      run.need(isStarted(session.started), unsupportedEras({ ...eras, initialized: session.started }));
      return use([session, ...modern]);
    },
    { mayEnd: true },
  );
}

/** Without its own `server/discover`: the server has responded to it before. */
export function modernSession(run: Run, endpoint: Endpoint, { discovered }: Pick<Eras, 'discovered'>): Session {
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
      sendModern(run, endpoint, modernInput(id, method, params, { mirrored })),
    end: async () => undefined,
  };
}

export async function startSession(run: Run, endpoint: Endpoint, options: SessionOptions = {}): Promise<Session> {
  const { mayEnd = false } = options;
  const sessions = await sessionsOf(run);
  let current = await startUse(run, endpoint, options);
  let renewal: Promise<void> | undefined;
  let ending: Promise<Exchange | undefined> | undefined;
  let last = 0;

  async function send<Sent extends WithExchange>(
    sendRequest: (headers: HeaderInput) => Promise<Sent>,
    isRenewable: boolean,
  ): Promise<Sent> {
    await renewal;
    const used = current;
    used.mayHaveExpired ||= isIdle(used);
    const sessionCountWhenUsed = sessions.started;
    const sent = await countPending(used, () => sendRequest(used.headers));
    const isGone = isUnknown(sent.exchange);
    const mayHaveExpired = isRenewable || used.mayHaveExpired || sessions.started > used.sessionCountWhenUsed;
    if (!isGone) Object.assign(used, { mayHaveExpired: false, sessionCountWhenUsed });
    if (!isGone || !mayHaveExpired || used.sessionId === undefined || ending !== undefined) return sent;
    if (current === used) await (renewal ??= renew()); // unless another request has started the renewal
    return send(sendRequest, false);
  }

  /** If it throws, the session is unchanged. */
  async function renew(): Promise<void> {
    try {
      current = await startUse(run, endpoint, options);
    } finally {
      renewal = undefined;
    }
  }

  async function endCurrent(): Promise<Exchange | undefined> {
    await renewal?.catch(() => undefined); // Reported to the requests that wait for it.
    const { sessionId, headers } = current;
    if (sessionId === undefined) return undefined;
    return countPending(current, () => run.client.call(endpoint.delete, { path: endpoint.path, headers }));
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
    send: (sendRequest) => send(sendRequest, mayEnd),
    request: (method, params, id = (last += 1)) =>
      send((headers) => requestOf({ run, endpoint, headers }, method, params, id), mayEnd),
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

interface CurrentSession extends StartedSession {
  /** The number of requests without a response yet. */
  pending: number;
  /** When the last of them ended, in milliseconds. */
  respondedAt: number;
  /** The session was idle, and no response since has confirmed that it still exists. */
  mayHaveExpired: boolean;
  /** How many sessions had started when this one was last known to exist. */
  sessionCountWhenUsed: number;
}

async function startUse(run: Run, endpoint: Endpoint, options: SessionOptions): Promise<CurrentSession> {
  const sessions = await sessionsOf(run);
  const sessionCountWhenUsed = (sessions.started += 1);
  const started = await start(run, endpoint, options);
  return { ...started, pending: 0, respondedAt: performance.now(), mayHaveExpired: false, sessionCountWhenUsed };
}

/** A session with a pending request is never idle. */
const isIdle = ({ pending, respondedAt }: CurrentSession): boolean =>
  pending === 0 && performance.now() - respondedAt > IDLE_SECONDS * 1000;

async function countPending<Result>(session: CurrentSession, call: () => Promise<Result>): Promise<Result> {
  session.pending += 1;
  try {
    return await call();
  } finally {
    session.pending -= 1;
    session.respondedAt = performance.now();
  }
}

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
