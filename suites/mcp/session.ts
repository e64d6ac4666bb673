/** A session with an MCP server (MCP 2025-11-25, Lifecycle): begun, used request by request, and ended. */
import type { Run } from '../conforms.ts';
import { eventually } from '../eventually.ts';
import type { Exchange, HeaderInput } from '../target/client.ts';
import type { Endpoint } from './endpoints.ts';
import type { MessageId } from './messages.ts';
import { request, sendMessage } from './post.ts';
import type { Answered } from './post.ts';

/** Of the streamable HTTP transport, the newest first. */
export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;

const PROMPT_SECONDS = 15;
/** A session that was left alone for longer may have been ended: 404 then says to begin another (MCP 2025-11-25, Session Management). */
const IDLE_SECONDS = 5;

export interface Session {
  /** The answer to `initialize`. */
  readonly begun: Answered;
  /** The one that the server chose; absent where it named none. */
  readonly protocolVersion?: string;
  /** Absent where the server keeps none. */
  readonly sessionId?: string;
  /** The answer to `notifications/initialized`; absent where `initialize` failed. */
  readonly accepted?: Exchange;
  /** `id` left out: a number of its own. No id may be used twice. */
  request(method: string, params?: object, id?: MessageId): Promise<Answered>;
  /** Undefined where there is no session to end. */
  end(): Promise<Exchange | undefined>;
}

export interface Beginning {
  /** The protocol version that the client offers; left out: the newest. */
  readonly offered?: string;
  /** How long a server that is still starting is waited for; left out: as long as the run waits at all. */
  readonly seconds?: number;
}

/** Begins a session, uses it and ends it, also where `use` throws. */
export async function inSession<Result>(
  run: Run,
  endpoint: Endpoint,
  use: (session: Session) => Promise<Result>,
  beginning?: Beginning,
): Promise<Result> {
  const session = await beginSession(run, endpoint, beginning);
  try {
    return await use(session);
  } finally {
    await session.end();
  }
}

export async function beginSession(run: Run, endpoint: Endpoint, beginning: Beginning = {}): Promise<Session> {
  const first = await begin(run, endpoint, beginning);
  let current = Promise.resolve(first);
  let usedAt = performance.now();
  let last = 0;

  async function ask(method: string, params: object | undefined, id: MessageId): Promise<Answered> {
    const isIdle = performance.now() - usedAt > IDLE_SECONDS * 1000;
    usedAt = performance.now();
    const used = current;
    const answer = await requestIn(await used, method, params, id);
    if (!isIdle || answer.exchange.answer.status !== 404 || first.sessionId === undefined) return answer;
    if (current === used) current = begin(run, endpoint, beginning); // unless another request has seen it, too
    return requestIn(await current, method, params, id);
  }

  function requestIn({ headers }: Begun, method: string, params: object | undefined, id: MessageId): Promise<Answered> {
    const message = { jsonrpc: '2.0', id, method, ...(params && { params }) };
    return request({ run, endpoint, headers }, id, message, secondsFor(run, method));
  }

  return {
    ...first,
    request: (method, params, id = (last += 1)) => ask(method, params, id),
    async end() {
      const { sessionId, headers } = await current;
      return sessionId === undefined ? undefined : run.client.call(endpoint.delete, { path: endpoint.path, headers });
    },
  };
}

type Begun = Pick<Session, 'begun' | 'protocolVersion' | 'sessionId' | 'accepted'> & { readonly headers: HeaderInput };

async function begin(run: Run, endpoint: Endpoint, beginning: Beginning): Promise<Begun> {
  const begun = await initialize(run, endpoint, beginning);
  const protocolVersion = versionIn(begun);
  const sessionId = begun.exchange.answer.headers['mcp-session-id'];
  const headers: HeaderInput = { 'Mcp-Session-Id': sessionId, 'MCP-Protocol-Version': protocolVersion };
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const accepted = begun.message && (await sendMessage({ run, endpoint, headers }, initialized));
  return {
    begun,
    ...(protocolVersion !== undefined && { protocolVersion }),
    ...(sessionId !== undefined && { sessionId }),
    ...(accepted && { accepted }),
    headers,
  };
}

async function initialize(run: Run, endpoint: Endpoint, beginning: Beginning): Promise<Answered> {
  const { offered = protocolVersions[0], seconds = run.patienceSeconds } = beginning;
  const params = { protocolVersion: offered, capabilities: {}, clientInfo: { name: 'assay', version: '1.0.0' } };
  const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
  let begun: Answered | undefined;
  const ask = async (): Promise<Exchange> =>
    (begun = await request({ run, endpoint, headers: {} }, 0, message)).exchange;
  const exchange = await eventually(ask, ({ answer }) => answer.status === 200, seconds);
  return begun ?? { exchange };
}

/** A tool may take its time; a server that is awake answers everything else promptly. */
const secondsFor = ({ patienceSeconds }: Run, method: string): number =>
  method === 'tools/call' ? patienceSeconds : Math.min(patienceSeconds, PROMPT_SECONDS);

function versionIn({ message }: Answered): string | undefined {
  const { protocolVersion } = (message?.result ?? {}) as { protocolVersion?: unknown };
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}
