/** Sends requests: keep-alive, rate limit, timeouts, and retries after temporary refusals and broken connections. */
import { setImmediate as yieldToEventLoop, setTimeout as wait } from 'node:timers/promises';
import type { Readable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import { createConnections, type Connections } from '../../spec/network/connections.ts';
import { decodedStream } from '../../spec/network/content-coding.ts';
import { describeProxyFor } from '../../spec/network/proxy-for.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { abortAfter } from './abort-after.ts';
import { createConflicts } from './conflicts.ts';
import { createTemporaryErrors, isRefusedByGateway } from './temporary-errors.ts';
import { createLateTokens } from './late-tokens.ts';
import { lookup } from './loopback.ts';
import { createFlight, type Flight } from './flight.ts';
import { createGate, MAX_AT_ONCE, type Gate, type Priority } from './gate.ts';
import { createMemoryLimit } from './memory-limit.ts';
import { createPace, type Pace } from './pace.ts';
import { wasRepeated } from './exchange.ts';
import type { Unprocessed } from './exchange.ts';
import type { WireRequest } from './request-types.ts';
import { createRefusalLimit, REFUSED, type RefusalLimit } from './refusal-limit.ts';
import {
  asksToWait,
  describeLimit,
  headOf,
  idempotentMethods,
  isRateLimit,
  isRefusedConnection,
  retryDelaySeconds,
  type Head,
} from './retry-delay.ts';
import { BODY_HIGH_WATER_MARK, BodyTooLargeError, createBodyReader } from './read-body.ts';
import { DEFAULT_MAX_BODY, MAX_BODIES } from './read-body.ts';

/** An error of the network or of assay, not of the target: the verdict is `error`. */
export class HarnessError extends Error {
  /** Host and port of the proxy that the request was sent through, if any, and the variable that names it. */
  readonly proxy: string | undefined;
  constructor(message: string, { proxy, ...options }: ErrorOptions & { proxy?: string | undefined } = {}) {
    super(message, options);
    this.proxy = proxy;
  }
}

/** The target refused a request (429) again and again. */
export class TooManyRequestsError extends HarnessError {}

/** The same, while it accepts others: the deployment has a limit for such requests. */
export class RequestLimitError extends TooManyRequestsError {}

const tooManyRequests = (message: string, limit: RefusalLimit): TooManyRequestsError =>
  limit.hasAccepted() ? new RequestLimitError(message) : new TooManyRequestsError(message);

export interface WireResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** As in HttpResponse. */
  isCut?: true;
  /** What the attempts before the last one got. Empty if the request was sent once. */
  repeatedAfter: readonly Unprocessed[];
}

/** A response whose body is read while it arrives. */
export interface StreamingResponse {
  status: number;
  headers: Record<string, string>;
  repeatedAfter: readonly Unprocessed[];
  body: AsyncIterable<Uint8Array>;
  /** Closes the connection if the body is not complete. */
  disconnect(): void;
}

export interface Transport {
  /** `priority`: defaults to normal. */
  send(request: WireRequest, priority?: Priority): Promise<WireResponse>;
  /** Uses a separate connection without a timeout for the body. Notes in `flight` when the request is sent. */
  open(request: WireRequest, flight?: Flight): Promise<StreamingResponse>;
  /** How often a request was sent again because of 502, 503 or 504. */
  readonly repeatCount: () => number;
  /** Further requests throw HarnessError, also those that wait for their turn. Streams end; pending requests complete. */
  readonly refuse: () => void;
  /** Like `refuse`, but pending requests have only a second to complete. */
  readonly stop: () => void;
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Requests a second; 0: no limit. */
  rate: number;
  /**
   * Requests in flight, not counting streams; fewer while the target responds with 429, and up to MAX_AT_ONCE if they have the
   * priority `at once`. Defaults to 8; at most 100.
   */
  concurrency?: number;
  /** Streams open at the same time. */
  streams?: number;
  /** Without a byte from the target. */
  timeoutSeconds?: number;
  /** For a complete response. */
  deadlineSeconds?: number;
  /** Bytes of a response body. */
  maxBody?: number;
  /** A longer Retry-After is an error. */
  maxRetryAfterSeconds?: number;
  refusalLimit?: RefusalLimit;
  /** Whether a response of so many characters may be kept. Defaults to a limit for the memory of this process. */
  mayKeep?: (characters: number) => boolean;
  /** Certificates and keys of TLS connections. Defaults to those of Node. */
  secureContext?: SecureContext | undefined;
}

const DEFAULT_TIMEOUT_SECONDS = 30;
/** A response that takes longer is an error, even if bytes arrive all the time. */
const DEFAULT_DEADLINE_SECONDS = 60;
/** For pending requests when a run stops. */
const STOP_GRACE_MS = 1000;
/** Much shorter than the idle timeout of servers (five seconds or more): none closes a connection as a request is sent. */
const IDLE_TIMEOUT_MS = 1000;

/** Otherwise a response may have any content coding (RFC 9110 12.5.3), and a gateway may refuse a request without User-Agent. */
const toDispatchOptions = ({ body, headers, isOfWorkload: _, ...request }: WireRequest) => ({
  ...request,
  headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'assay', ...headers },
  body: body ?? null,
});

/** The response does not fit into memory together with those that are still needed. */
export class ResponsesTooLargeError extends HarnessError {
  constructor() {
    super('the responses of the target need more memory than a run may use');
  }
}

function networkError(error: unknown, request: WireRequest, limits: Limits): HarnessError {
  const { code, message, name } = error as { code?: string; message: string; name?: string };
  const what = `${request.method} ${request.origin}${request.path.split('?', 1)[0]}`;
  if (error instanceof ResponsesTooLargeError || isNeverSentError(error)) return error;
  if (error instanceof BodyTooLargeError) return new HarnessError(`${what}: ${message}`, { cause: error });
  if (name === 'TimeoutError')
    return new HarnessError(`${what}: no complete response within ${limits.deadlineSeconds} s`, { cause: error });
  if (TIMEOUT_CODES.has(code ?? ''))
    return new HarnessError(`${what}: no response within ${limits.timeoutSeconds} s`, { cause: error });
  const proxy = error instanceof InvalidInput ? undefined : describeProxyFor(request.origin);
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return new HarnessError(`${what}: no response${through} (${code ?? message})`, { cause: error, proxy });
}

/** Of undici: no head of a response, or a pause in its body. */
const TIMEOUT_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Errors of requests that were never sent. */
const unsent = new WeakSet<Error>();

/** Whether a request failed before it was sent, so that it has no effect. */
export const wasNeverSent = (error: unknown): boolean =>
  error instanceof Error && (unsent.has(error) || wasNeverSent(error.cause));

const isNeverSentError = (error: unknown): error is HarnessError => error instanceof HarnessError && unsent.has(error);

/** Marks an error of a request that was never sent, or that had no effect. */
export function asUnsent<E extends Error>(error: E): E {
  unsent.add(error);
  return error;
}

export const unsentError = (message: string): HarnessError => asUnsent(new HarnessError(message));

export const INTERRUPTED = 'the run was interrupted';

function throwInterrupted(): never {
  throw unsentError(INTERRUPTED);
}

const waitUnless =
  (stopped: AbortSignal) =>
  (seconds: number): Promise<void> =>
    wait(seconds * 1000, undefined, { signal: stopped }).catch(throwInterrupted);

/** `isSent`: an earlier attempt was sent and may have had an effect, so the request does not count as never sent. */
function throwAfter(isSent: boolean, error: unknown): never {
  throw isSent && wasNeverSent(error) ? new HarnessError((error as Error).message) : error;
}

interface RetryPolicy<A> {
  /** Ends a refused response. */
  readonly drop: (response: A) => void;
  readonly priority?: Priority | undefined;
  readonly limit: Pick<RefusalLimit, 'isWorthWaiting'>;
}

/** A stream may also be refused because too many are open. */
const streamPolicy = (flight: Flight): RetryPolicy<OpenedStream> => ({
  drop(response) {
    flight.sentMs = undefined;
    response.disconnect();
  },
  limit: { isWorthWaiting: () => false },
});

type OpenedStream = Omit<StreamingResponse, 'repeatedAfter' | 'body'> & { body: Readable };

function streamOf(response: Dispatcher.ResponseData): OpenedStream {
  const head = headOf(response);
  const body = decodedStream(response.body, head.headers['content-encoding'] ?? '');
  // The reader receives the error; a dropped body has no reader.
  for (const each of [response.body, body]) each.on('error', () => {});
  return { ...head, body, disconnect: () => void body.destroy() };
}

/** With what earlier attempts got, if the request was repeated after a broken connection or a response 5xx. */
type Repeated<A> = A & { repeatedAfter: readonly Unprocessed[] };

/** How the connections for whole responses and those for streams are opened. Streams would use up those of other requests. */
function connectionOptions(timeoutMs: number, concurrency: number, secureContext: SecureContext | undefined) {
  const connections = Math.max(concurrency, MAX_AT_ONCE);
  const connect = { lookup, timeout: Math.min(timeoutMs, 10_000), ...(secureContext && { secureContext }) };
  // HTTP/1.1 only: with HTTP/2, requests are lost when a gateway closes a connection after a number of requests.
  const http = { keepAliveTimeout: IDLE_TIMEOUT_MS, keepAliveMaxTimeout: IDLE_TIMEOUT_MS, headersTimeout: timeoutMs };
  return {
    openWhole: () => createConnections({ ...http, connections, bodyTimeout: timeoutMs }, connect),
    openStreams: () => createConnections({ ...http, bodyTimeout: 0 }, connect),
  };
}

export interface Turns {
  readonly pace: Pace;
  readonly gate: Gate;
  readonly stopped: AbortSignal;
}

/** Sends a request when the concurrency and the rate allow it. */
export async function sendInTurn<A extends Head>(
  { pace, gate, stopped }: Turns,
  priority: Priority,
  send: () => Promise<A>,
): Promise<A> {
  const entry = await gate.enter(stopped, priority).catch(throwInterrupted);
  let response: A | undefined;
  try {
    const turn = await pace.turn(stopped).catch(throwInterrupted);
    await yieldToEventLoop(); // so that undici processes connections that were closed meanwhile
    response = await send();
    pace.noteResponse(turn, response.status === 429);
    return response;
  } finally {
    gate.leave(entry, response !== undefined && (response.status === 429 || isRefusedByGateway(response)));
  }
}

/** Waits until another stream closes, if as many are open as there may be. Returns what frees the place again. */
async function enterStreams(places: Gate, stopped: AbortSignal, timeoutMs: number): Promise<() => void> {
  using deadline = abortAfter(timeoutMs, stopped);
  try {
    const entry = await places.enter(deadline.signal);
    let isOpen = true;
    return () => {
      if (isOpen) places.leave(entry, false);
      isOpen = false;
    };
  } catch {
    if (stopped.aborted) return throwInterrupted();
    throw new HarnessError(`too many streams are open, and none closed within ${timeoutMs / 1000} s`);
  }
}

/** Milliseconds before an idempotent request is sent again if there is no response. A server that restarts needs some. */
const RETRY_PAUSES_MS = [0, 500, 1000, 2000];

/**
 * Milliseconds, of refused connections without a response. A restart ends sooner, also that of each server of a deployment, one
 * after the other. Later the server has crashed, and each repetition would only delay the end of the run.
 */
const MAX_OUTAGE_MS = 15_000;

/** By origin. */
interface Availability {
  /** When each last responded. One that never did is not restarting. */
  readonly lastResponses: Map<string, number>;
  /** When a connection was first refused after that. */
  readonly refusedSince: Map<string, number>;
}

function noteResponse({ lastResponses, refusedSince }: Availability, origin: string): void {
  lastResponses.set(origin, performance.now());
  refusedSince.delete(origin);
}

function noteFailure({ refusedSince }: Availability, origin: string, error: unknown): void {
  if ((error as { code?: string }).code === 'ECONNREFUSED' && !refusedSince.has(origin))
    refusedSince.set(origin, performance.now());
}

const hasCrashed = ({ refusedSince }: Availability, origin: string): boolean =>
  performance.now() - (refusedSince.get(origin) ?? Infinity) > MAX_OUTAGE_MS;

type Limits = Required<Pick<TransportOptions, 'timeoutSeconds' | 'deadlineSeconds'>>;

interface AttemptContext {
  readonly stopped: AbortSignal;
  readonly availability: Availability;
  readonly limits: Limits;
}

/**
 * Sends an idempotent request again if there is no response: twice if others got one meanwhile, or if there never was one. Not if
 * the server has crashed.
 */
async function withRetry<A extends Head>(
  sendOnce: (request: WireRequest) => Promise<A>,
  request: WireRequest,
  { stopped, availability, limits }: AttemptContext,
): Promise<Repeated<A>> {
  const startMs = performance.now();
  let last: unknown;
  for (let attempts = 1; ; attempts += 1) {
    try {
      const response = await sendOnce(request);
      noteResponse(availability, request.origin);
      return { ...response, repeatedAfter: Array.from({ length: attempts - 1 }, () => 'no response' as const) };
    } catch (error) {
      // If a further attempt was never sent, the one before may still have had its effect.
      last = attempts > 1 && isNeverSentError(error) ? last : error;
      noteFailure(availability, request.origin, error);
      const isLate = (error as Error).name === 'TimeoutError'; // and would be again
      const isTooLarge = error instanceof BodyTooLargeError || error instanceof ResponsesTooLargeError;
      const pauseMs = RETRY_PAUSES_MS[attempts - 1];
      const isDown = (availability.lastResponses.get(request.origin) ?? Infinity) < startMs;
      const isFinal = isTooLarge || isLate || stopped.aborted || pauseMs === undefined || (attempts > 1 && !isDown);
      if (isFinal || hasCrashed(availability, request.origin) || !idempotentMethods.has(request.method))
        throw networkError(last, request, limits);
      if (pauseMs > 0) await waitUnless(stopped)(pauseMs / 1000).catch(() => {});
    }
  }
}

/** Of a response after which the request is sent again. A rate limit is no attempt. */
const unprocessed = ({ status }: Head): readonly Unprocessed[] => (status >= 500 ? [status] : []);

const wholeReader =
  (readBody: ReturnType<typeof createBodyReader>, mayKeep: (characters: number) => boolean) =>
  async (response: Dispatcher.ResponseData, signal: AbortSignal) => {
    const head = headOf(response);
    const text = await readBody(response.body, signal, head.headers['content-encoding']);
    if (!mayKeep(text.length)) throw new ResponsesTooLargeError();
    return { ...head, text };
  };

interface WholeSenderParts<A> {
  readonly turns: Turns;
  readonly whole: Connections;
  readonly openWhole: () => Connections;
  readonly readWhole: (response: Dispatcher.ResponseData, signal: AbortSignal) => Promise<A>;
  readonly deadline: () => ReturnType<typeof abortAfter>;
}

/** Sends a request once more, on a connection of its own, if the server did not process it because of the connection. */
function wholeSender<A extends Head>({ turns, whole, openWhole, readWhole, deadline }: WholeSenderParts<A>) {
  const sendOver = (connections: Connections, request: WireRequest, priority: Priority): Promise<A> =>
    sendInTurn(turns, priority, async () => {
      using until = deadline();
      const options = { ...toDispatchOptions(request), signal: until.signal, highWaterMark: BODY_HIGH_WATER_MARK };
      return await readWhole(await connections.to(request.origin).request(options), until.signal);
    });
  return async (request: WireRequest, priority: Priority): Promise<A> => {
    const response = await sendOver(whole, request, priority);
    if (!isRefusedConnection(response)) return response;
    const separate = openWhole();
    return sendOver(separate, request, 'again').finally(() => separate.destroy());
  };
}

function streamSender(turns: Turns, streams: Connections) {
  // The head of a stream may arrive only after another request, such as a write that it reports.
  const turnsOfStreams: Turns = { ...turns, gate: createGate(Infinity) };
  return (request: WireRequest, priority: Priority, flight: Flight): Promise<OpenedStream> =>
    sendInTurn(turnsOfStreams, priority, async () => {
      flight.sentMs = performance.now();
      try {
        return streamOf(await streams.to(request.origin).request(toDispatchOptions(request)));
      } catch (error) {
        flight.sentMs = undefined;
        throw error;
      }
    });
}

export function createTransport(options: TransportOptions): Transport {
  const { maxRetryAfterSeconds: maxRetryAfter = 60, deadlineSeconds = DEFAULT_DEADLINE_SECONDS } = options;
  const limits = { timeoutSeconds: options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS, deadlineSeconds };
  const timeoutMs = limits.timeoutSeconds * 1000;
  const concurrency = Math.min(options.concurrency ?? 8, MAX_BODIES);
  const [pace, places] = [createPace(options.rate), createGate(options.streams ?? 32)];
  const [cut, stopped] = [new AbortController(), new AbortController()];
  const refuse = (): void => stopped.abort();
  const turns: Turns = { pace, gate: createGate(concurrency), stopped: stopped.signal };
  const { openWhole, openStreams } = connectionOptions(timeoutMs, concurrency, options.secureContext);
  const [whole, streams] = [openWhole(), openStreams()];
  stopped.signal.addEventListener('abort', () => void streams.destroy());
  const { refusalLimit = createRefusalLimit(), mayKeep = createMemoryLimit(), maxBody = DEFAULT_MAX_BODY } = options;
  const availability = { lastResponses: new Map<string, number>(), refusedSince: new Map<string, number>() };
  const attemptContext = { stopped: stopped.signal, availability, limits };
  const lasting = new Set<number>(); // Client errors other than 429 whose Retry-After did not help.
  const readBody = createBodyReader({ maxBody, concurrency: Math.max(concurrency, MAX_AT_ONCE) });
  const readWhole = wholeReader(readBody, mayKeep);
  const deadline = () => abortAfter(deadlineSeconds * 1000, cut.signal);
  const sendWhole = wholeSender({ turns, whole, openWhole, readWhole, deadline });
  const conflicts = createConflicts({ wait: waitUnless(stopped.signal), maxSeconds: maxRetryAfter });
  const [lateTokens, temporaryErrors] = [createLateTokens(waitUnless(stopped.signal)), createTemporaryErrors()];
  const sendForHead = streamSender(turns, streams);

  async function withRateLimitWaits<A extends Head>(
    sendOnce: (request: WireRequest, priority: Priority) => Promise<A>,
    request: WireRequest,
    { drop, priority = 'normal', limit }: RetryPolicy<A>,
  ): Promise<Repeated<A>> {
    for (let waits = 0, isSent = false, repeatedAfter: readonly Unprocessed[] = []; ; waits += 1) {
      if (stopped.signal.aborted) throwAfter(isSent, unsentError(INTERRUPTED));
      if (refusalLimit.isReached()) throwAfter(isSent, unsentError(REFUSED));
      const inTurn = (each: WireRequest): Promise<A> => sendOnce(each, waits > 0 ? 'again' : priority);
      const response = await withRetry(inTurn, request, attemptContext).catch((error) => throwAfter(isSent, error));
      isSent ||= response.status !== 429 || wasRepeated(response);
      repeatedAfter = [...repeatedAfter, ...response.repeatedAfter];
      const mayHelp = asksToWait(request, response) && !lasting.has(response.status);
      refusalLimit.note(mayHelp);
      const delay = mayHelp ? retryDelaySeconds(request, response, waits, limit) : undefined;
      const seconds = delay ?? temporaryErrors.secondsBefore(request, response, waits) ?? Infinity;
      const waited = seconds <= maxRetryAfter;
      if (!waited && isRateLimit(response) && response.status !== 429) lasting.add(response.status);
      if (!waited && response.status !== 429) return { ...response, repeatedAfter };
      repeatedAfter = [...repeatedAfter, ...unprocessed(response)];
      drop(response);
      if (!waited) throw tooManyRequests(describeLimit(request, response), refusalLimit);
      if (delay === undefined) await waitUnless(stopped.signal)(seconds).catch(() => {});
      else {
        refusalLimit.noteWait(seconds * 1000);
        pace.pause(seconds * 1000); // Other requests would be refused as well.
      }
    }
  }

  async function open(request: WireRequest, flight = createFlight()): Promise<StreamingResponse> {
    const release = await enterStreams(places, stopped.signal, timeoutMs);
    try {
      const sendOnce = (each: WireRequest, priority: Priority) => sendForHead(each, priority, flight);
      const response = await withRateLimitWaits(sendOnce, request, streamPolicy(flight));
      response.body.once('close', release);
      return response;
    } catch (error) {
      release();
      throw error;
    }
  }
  return {
    send: (request, priority) => {
      const sendOnce = () => withRateLimitWaits(sendWhole, request, { drop: () => {}, priority, limit: refusalLimit });
      return conflicts.send(request, () => lateTokens.send(request, sendOnce));
    },
    open,
    repeatCount: temporaryErrors.repeatCount,
    refuse,
    stop() {
      refuse();
      setTimeout(() => cut.abort(), STOP_GRACE_MS).unref();
    },
    close: async () => void (await Promise.all([whole.destroy(), streams.destroy()])),
  };
}
