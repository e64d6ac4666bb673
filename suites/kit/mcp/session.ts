/** A session with an MCP server (MCP 2025-11-25, Lifecycle): started, used request by request, and ended. */
import type { Run } from '../../engine/conforms.ts';
import { eventually, isAwake } from '../../target/eventually.ts';
import type { Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import type { Endpoint } from './endpoints.ts';
import type { MessageId } from './messages.ts';
import { RESPONSE_SECONDS, request, sendMessage } from './post.ts';
import type { McpResponse, Connection } from './post.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const sessionCount = sharedValue<{ started: number }>();

/** Of the streamable HTTP transport, the newest first. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
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

export interface Session {
  /** The response to the first `initialize`. */
  readonly started: McpResponse;
  /** The version that the server chose. Undefined if it named none. A renewed session may have another one. */
  readonly protocolVersion: string | undefined;
  /** Undefined if the server has no sessions. Changes when an expired session is renewed. */
  readonly sessionId: string | undefined;
  /** The response to the first `notifications/initialized`. Absent if `initialize` failed. */
  readonly accepted?: Exchange;
  /** `id` defaults to the next number. No id may be used twice. */
  request(method: string, params?: object, id?: MessageId): Promise<McpResponse>;
  /** Undefined if there is no session to end. */
  end(): Promise<Exchange | undefined>;
}

export interface SessionOptions {
  /** The protocol version that the client offers. Defaults to the newest. */
  readonly offered?: string;
  /** Whether a server that has started may refuse the version. Otherwise every error may come from one that is starting. */
  readonly mayBeRefused?: boolean;
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

export async function startSession(run: Run, endpoint: Endpoint, options: SessionOptions = {}): Promise<Session> {
  const sessions = await sessionsOf(run);
  let current = await startUse(run, endpoint, options);
  let renewal: Promise<void> | undefined;
  let last = 0;

  async function sendRequest(method: string, params: object | undefined, id: MessageId): Promise<McpResponse> {
    await renewal;
    const used = current;
    used.mayHaveExpired ||= isIdle(used);
    const sessionCountWhenUsed = sessions.started;
    const response = await countPending(used, () => send({ run, endpoint, headers: used.headers }, method, params, id));
    const isGone = response.exchange.response.status === 404;
    const mayHaveExpired = used.mayHaveExpired || sessions.started > used.sessionCountWhenUsed;
    if (!isGone) Object.assign(used, { mayHaveExpired: false, sessionCountWhenUsed });
    if (!isGone || !mayHaveExpired || used.sessionId === undefined) return response;
    if (current === used) await (renewal ??= renew()); // unless another request has started the renewal
    return sendRequest(method, params, id);
  }

  /** If it throws, the session is unchanged. */
  async function renew(): Promise<void> {
    try {
      current = await startUse(run, endpoint, options);
    } finally {
      renewal = undefined;
    }
  }

  const { started, accepted } = current;
  return {
    started,
    ...(accepted && { accepted }),
    get protocolVersion() {
      return current.protocolVersion;
    },
    get sessionId() {
      return current.sessionId;
    },
    request: (method, params, id = (last += 1)) => sendRequest(method, params, id),
    async end() {
      await renewal?.catch(() => undefined); // Reported to the requests that wait for it.
      const { sessionId, headers } = current;
      if (sessionId === undefined) return undefined;
      return countPending(current, () => run.client.call(endpoint.delete, { path: endpoint.path, headers }));
    },
  };
}

function send(connection: Connection, method: string, params: object | undefined, id: MessageId): Promise<McpResponse> {
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
  const headers = sessionHeaders({ sessionId, protocolVersion });
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = started.message && (await sendMessage({ run, endpoint, headers }, initialized));
  return {
    started,
    protocolVersion,
    sessionId,
    ...(accepted && { accepted }),
    headers,
  };
}

/** The headers of every message after `initialize`. */
export const sessionHeaders = ({
  sessionId,
  protocolVersion,
}: Pick<Session, 'sessionId' | 'protocolVersion'>): HeaderInput => ({
  'Mcp-Session-Id': sessionId,
  'MCP-Protocol-Version': protocolVersion,
});

async function initialize(run: Run, endpoint: Endpoint, options: SessionOptions): Promise<McpResponse> {
  const { offered = protocolVersions[0], mayBeRefused = false } = options;
  const params = { protocolVersion: offered, capabilities: {}, clientInfo: { name: 'assay', version: '1.0.0' } };
  const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  let started: McpResponse | undefined;
  const sendRequest = async (): Promise<Exchange> =>
    (started = await request({ run, endpoint, headers: {} }, 0, message)).exchange;
  const isStarted = mayBeRefused ? isAwake : ({ response }: Exchange) => response.status === 200;
  const exchange = await eventually(sendRequest, isStarted, run.patienceSeconds);
  return started ?? { exchange };
}

function versionIn({ message }: McpResponse): string | undefined {
  const { protocolVersion } = (message?.result ?? {}) as { protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}
