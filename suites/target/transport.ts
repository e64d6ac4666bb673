/** Sends requests and reads answers: keep-alive, paced, bounded, one retry of what may be sent twice. */
import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from 'undici';
import { lookup } from './loopback.ts';
import { createPace } from './pace.ts';

/** The network's or our own trouble: never the target's fault, so the verdict is `error`. */
export class Trouble extends Error {}

export interface WireRequest {
  method: string;
  origin: string;
  /** With the query, sent as it is. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  attempts: number;
}

/** The head of an answer whose body is read while it comes. */
export interface OpenAnswer {
  status: number;
  headers: Record<string, string>;
  body: AsyncIterable<Uint8Array>;
  /** Breaks the connection where the body has not come to its end. */
  hangUp(): void;
}

export interface Transport {
  send(request: WireRequest): Promise<WireAnswer>;
  /** Sent once, on a connection of its own, without a limit to how long the body may take. */
  open(request: WireRequest): Promise<OpenAnswer>;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Requests a second; 0: no limit. */
  rate: number;
  /** Connections to one address at once. */
  concurrency?: number;
  timeoutSeconds?: number;
  /** A longer Retry-After is not waited for. */
  longestRetryAfterSeconds?: number;
}

const mayBeSentTwice = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const MOST_WAITS = 3;

const joined = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );

const dispatched = ({ body, ...request }: WireRequest) => ({ ...request, body: body ?? null });

function troubleOf(error: unknown, request: WireRequest): Trouble {
  const { code, message } = error as { code?: string; message: string };
  const what = `${request.method} ${request.origin}`;
  return new Trouble(`${what}: no answer (${code ?? message})`, { cause: error });
}

/** Seconds; 0 where the header is absent or unreadable. */
export function retryAfterSeconds(value: string | undefined, now: number = Date.now()): number {
  if (value === undefined) return 0;
  if (/^\d+$/.test(value)) return Number(value);
  const until = Date.parse(value);
  return Number.isNaN(until) ? 0 : Math.max(0, (until - now) / 1000);
}

export function createTransport(options: TransportOptions): Transport {
  const timeoutMs = (options.timeoutSeconds ?? 30) * 1000;
  const longestWait = options.longestRetryAfterSeconds ?? 20;
  const pace = createPace(options.rate);
  const agent = new Agent({
    connect: { lookup, timeout: Math.min(timeoutMs, 10_000) },
    connections: options.concurrency ?? 8,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });

  // Streams would use up the connections that other requests wait for.
  const streams = new Agent({
    connect: { lookup, timeout: Math.min(timeoutMs, 10_000) },
    headersTimeout: timeoutMs,
    bodyTimeout: 0,
  });

  async function open(request: WireRequest): Promise<OpenAnswer> {
    await pace();
    try {
      const { statusCode, headers, body } = await streams.request(dispatched(request));
      return { status: statusCode, headers: joined(headers), body, hangUp: () => void body.destroy() };
    } catch (error) {
      throw troubleOf(error, request);
    }
  }

  async function once(request: WireRequest): Promise<Omit<WireAnswer, 'attempts'>> {
    await pace();
    const answer = await agent.request(dispatched(request));
    return { status: answer.statusCode, headers: joined(answer.headers), text: await answer.body.text() };
  }

  async function withRetry(request: WireRequest): Promise<WireAnswer> {
    try {
      return { ...(await once(request)), attempts: 1 };
    } catch (error) {
      if (!mayBeSentTwice.has(request.method)) throw troubleOf(error, request);
    }
    try {
      return { ...(await once(request)), attempts: 2 };
    } catch (error) {
      throw troubleOf(error, request);
    }
  }

  /** 429 says that nothing was done, so any method may come again; 503 does not say so. */
  async function send(request: WireRequest): Promise<WireAnswer> {
    for (let waits = 0; ; waits += 1) {
      const answer = await withRetry(request);
      const again = answer.status === 429 || (answer.status === 503 && mayBeSentTwice.has(request.method));
      const seconds = again ? retryAfterSeconds(answer.headers['retry-after']) : 0;
      const waited = seconds > 0 && seconds <= longestWait && waits < MOST_WAITS;
      if (!waited && answer.status === 429)
        throw new Trouble(`${request.method} ${request.origin}: too many requests (429)`);
      if (!waited) return answer;
      await wait(seconds * 1000);
    }
  }

  return {
    send,
    open,
    async close() {
      await Promise.all([agent.destroy(), streams.destroy()]);
    },
  };
}
