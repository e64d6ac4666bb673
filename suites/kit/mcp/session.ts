/** A session with an MCP server, of either era: started, used request by request, and ended (MCP 2025-11-25, Lifecycle). */
import type { Run } from '../../engine/conforms.ts';
import { eventually, isAwake } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import type { Endpoint } from './endpoints.ts';
import {
  erasOf,
  initializeMessage,
  isFinal,
  isStarted,
  keyOf,
  sessionHeaders,
  unsupportedEras,
  versionIn,
} from './eras.ts';
import type { Eras } from './eras.ts';
import { errorCodeIn } from './messages.ts';
import type { MessageId } from './messages.ts';
import { MODERN_VERSION, modernInput, sendModern } from './modern.ts';
import { RESPONSE_SECONDS, request, sendMessage } from './post.ts';
import type { McpResponse, Connection } from './post.ts';
import { sessionStarts } from './session-starts.ts';
import { sharedValues } from '../../engine/shared-values.ts';

/** By endpoint. */
const oneSessionServers = sharedValues<boolean>();

/**
 * A session that was idle for longer may have expired: after a 404 another one is started (MCP 2025-11-25, Session
 * Management).
 */
const IDLE_SECONDS = 5;

/** Of the session of one request. Requests about callers may start others meanwhile. */
const MAX_RENEWALS = 2;

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
  const starts = await sessionStarts(run);
  const startNew = async (): Promise<CurrentSession> => {
    const startCount = starts.count;
    const started = await start(run, endpoint, options);
    return { ...started, pending: 0, respondedAt: performance.now(), mayHaveExpired: false, startCount };
  };
  let current = await starts.start(startNew);
  // Another one has started before it was used.
  if (current.accepted !== undefined && isUnknown(current.accepted)) current = await starts.alone(startNew);
  let renewal: Promise<void> | undefined;
  let ending: Promise<Exchange | undefined> | undefined;
  let last = 0;

  async function send<Sent extends WithExchange>(sendRequest: (headers: HeaderInput) => Promise<Sent>): Promise<Sent> {
    await renewal;
    const used = current;
    used.mayHaveExpired ||= isIdle(used);
    const startCount = starts.count;
    const sent = await countPending(used, () => sendRequest(used.headers));
    if (!isUnknown(sent.exchange)) {
      Object.assign(used, { mayHaveExpired: false, startCount });
      return sent;
    }
    const mayHaveEnded = mayEnd || used.mayHaveExpired || starts.count > used.startCount;
    if (used.sessionId === undefined || ending !== undefined) return sent;
    if (!mayHaveEnded && !(await keepsOneSession(run, endpoint, options))) return sent;
    return starts.alone(() => sendAgain(sendRequest, used));
  }

  /** In the session by which another request has replaced the expired one, or in a new one. */
  async function sendAgain<Sent extends WithExchange>(
    sendRequest: (headers: HeaderInput) => Promise<Sent>,
    expired: CurrentSession,
  ): Promise<Sent> {
    const sendInCurrent = () => countPending(current, () => sendRequest(current.headers));
    let sent = current === expired ? undefined : await sendInCurrent();
    for (let renewals = 0; ; renewals += 1) {
      if (sent !== undefined && (!isUnknown(sent.exchange) || renewals === MAX_RENEWALS)) return sent;
      await (renewal = renew());
      sent = await sendInCurrent();
    }
  }

  /** If it throws, the session is unchanged. */
  async function renew(): Promise<void> {
    try {
      starts.count += 1;
      current = await startNew();
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

interface CurrentSession extends StartedSession {
  /** The number of requests without a response yet. */
  pending: number;
  /** When the last of them ended, in milliseconds. */
  respondedAt: number;
  /** The session was idle, and no response since has confirmed that it still exists. */
  mayHaveExpired: boolean;
  /** How many sessions had begun when this one was last known to exist. */
  startCount: number;
}

/** Whether a session ends when another one starts. */
async function keepsOneSession(run: Run, endpoint: Endpoint, options: SessionOptions): Promise<boolean> {
  const { alone } = await sessionStarts(run);
  const isEnded = async (): Promise<boolean> => {
    const first = await start(run, endpoint, options);
    const ping = () => requestOf({ run, endpoint, headers: first.headers }, 'ping', undefined, 1);
    if (isUnknown((await ping()).exchange)) return false;
    await start(run, endpoint, options);
    return isUnknown((await ping()).exchange);
  };
  return oneSessionServers.get(run, keyOf(endpoint), () => alone(isEnded));
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
