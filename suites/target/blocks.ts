/** Waits while the target refuses everything because of wrong credentials that the run has sent: it must limit guesses. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Head } from './retry-delay.ts';
import { refusesEnded, withValidTokens } from './sent-tokens.ts';
import type { Tokens } from './token.ts';
import { HarnessError, TooManyRequestsError, asUnsent } from './transport.ts';
import type { WireRequest } from './request-types.ts';
import type { Transport } from './transport.ts';
import { NotTried } from './violation.ts';

interface BlockableRequest extends WireRequest {
  /** The valid credential that it carries. Undefined if it carries none, or another one. */
  readonly credential: string | undefined;
}

interface BlockableResponse extends Head {
  /** Undefined for a stream. */
  readonly text?: string;
}

export interface Blocks {
  /**
   * Sends a request, again if it is refused because the run is blocked. Throws NotTried if it is blocked for too long. `drop` is
   * called with each response that is not returned.
   */
  send<R extends BlockableResponse>(
    request: BlockableRequest,
    sendOnce: () => Promise<R>,
    drop?: (response: R) => void,
  ): Promise<R>;
}

/** After fewer responses 401 nothing is blocked. */
const MIN_REFUSALS = 3;
const MAX_SECONDS = 30;
const PAUSE_MS = 500;
/** A run that goes on to send wrong credentials is blocked again. */
const MAX_BLOCKS_OF_A_REQUEST = 5;
/** Of requests that were accepted, for each of which a refusal is suspicious. */
const MAX_ACCEPTED = 10_000;

type Probe = 'open' | 'was blocked' | 'is blocked' | 'unusable';

interface BlockOptions {
  readonly maxSeconds?: number;
  /** Those of the run. Without them, none ends. */
  readonly tokens?: Tokens;
}

const isRefusal = (status: number): boolean => [401, 403, 429, 503].includes(status);

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

const isJson = ({ headers }: Head): boolean => /\bjson\b/i.test(headers['content-type'] ?? '');

/** Without numbers and ids, which differ. */
const describeRefusal = ({ status, text = '' }: BlockableResponse): string =>
  `${status} ${text.replaceAll(/[\da-f-]{8,}|\d+/gi, '')}`;

/** Reads are compared with the same read, writes with those of the same kind of resource: a caller may do one and not the other. */
const describeAccess = ({ credential, method, origin, path }: BlockableRequest): string =>
  `${credential} ${method} ${origin}${method === 'GET' ? path : path.split(/[/?]/, 3).join('/')}`;

type State = Exclude<Probe, 'unusable'>;

interface Probes {
  /** Notes a request that was accepted. */
  accept(request: WireRequest): void;
  /** Resolves when no request finds out whether the run is blocked there. */
  pending(origin: string): Promise<unknown>;
  /** Undefined if no request can show it. */
  stateOf(origin: string): Promise<State | undefined>;
}

/** Requests that were accepted, sent again to find out whether the run is blocked. */
function createProbes(transport: Pick<Transport, 'send'>, { maxSeconds = MAX_SECONDS, tokens }: BlockOptions): Probes {
  /** By origin the last request that was accepted. */
  const controls = new Map<string, WireRequest>();
  const pending = new Map<string, Promise<Probe>>();
  let isLasting = false;

  /** Undefined if it can no longer show whether the run is blocked, because its token has ended. */
  async function isRefused(control: WireRequest): Promise<boolean | undefined> {
    const headers = tokens === undefined ? control.headers : await validHeaders(control, tokens);
    if (headers === undefined) return undefined;
    const current = { ...control, headers };
    try {
      const response = await transport.send(current);
      return isOfEnded(tokens, current, response) ? undefined : isRefusal(response.status);
    } catch (error) {
      if (error instanceof TooManyRequestsError) return true;
      throw error;
    }
  }

  async function probe(control: WireRequest): Promise<Probe> {
    let isStillRefused = await isRefused(control);
    if (isStillRefused === false) return 'open';
    const end = performance.now() + (isLasting ? 0 : maxSeconds * 1000);
    while (isStillRefused === true && performance.now() < end) {
      await wait(PAUSE_MS);
      isStillRefused = await isRefused(control);
    }
    if (isStillRefused === undefined) return 'unusable';
    if (!isStillRefused) {
      isLasting = false;
      return 'was blocked';
    }
    isLasting = true;
    return 'is blocked';
  }

  function sharedProbe(origin: string, control: WireRequest): Promise<Probe> {
    const shared = pending.get(origin) ?? probe(control).finally(() => pending.delete(origin));
    pending.set(origin, shared);
    return shared;
  }

  async function stateOf(origin: string): Promise<State | undefined> {
    for (;;) {
      const control = controls.get(origin) ?? [...controls.values()].at(-1);
      if (control === undefined) return undefined;
      const state = await sharedProbe(origin, control);
      if (state !== 'unusable') return state;
      for (const [each, request] of controls) if (request === control) controls.delete(each);
    }
  }

  return {
    accept: (request) => void controls.set(request.origin, request),
    pending: async (origin) => pending.get(origin)?.catch(() => {}),
    stateOf,
  };
}

const isOfEnded = (tokens: Tokens | undefined, request: WireRequest, response: Head): boolean =>
  tokens !== undefined && refusesEnded(tokens, request, response);

export function createBlocks(transport: Pick<Transport, 'send'>, options: BlockOptions = {}): Blocks {
  let refusalCount = 0;
  const accepted = new Set<string>();
  const probes = createProbes(transport, options);
  /** Refusals while the run was blocked, and others. */
  const [ofBlocks, ordinary] = [new Set<string>(), new Set<string>()];

  function note(request: BlockableRequest, { status, text }: BlockableResponse): void {
    if (status === 401) refusalCount += 1;
    if (request.credential === undefined || !isSuccess(status)) return;
    if (accepted.size < MAX_ACCEPTED) accepted.add(describeAccess(request));
    // A stream may never end.
    if (request.method === 'GET' && text !== undefined) probes.accept(request);
  }

  function maybeBlocked(request: BlockableRequest, response: BlockableResponse): boolean {
    const { status } = response;
    if (refusalCount < MIN_REFUSALS || !isRefusal(status)) return false;
    const wasAccepted = request.credential !== undefined && accepted.has(describeAccess(request));
    if (status === 401) return wasAccepted; // the response to a wrong credential, whether blocked or not
    const refusal = describeRefusal(response);
    if (ofBlocks.has(refusal)) return true;
    return !ordinary.has(refusal) && (wasAccepted || request.credential === undefined || !isJson(response));
  }

  async function send<R extends BlockableResponse>(
    request: BlockableRequest,
    sendOnce: () => Promise<R>,
    drop: (response: R) => void = () => {},
  ): Promise<R> {
    const { origin } = request;
    for (let blocks = 0, wasOpen = false; ;) {
      await probes.pending(origin);
      const response = await sendOnce();
      if (isOfEnded(options.tokens, request, response)) return response;
      note(request, response);
      const state = maybeBlocked(request, response) ? await probes.stateOf(origin) : undefined;
      if (state === undefined) return response;
      const refusal = describeRefusal(response);
      // A block may have ended before the probe.
      if (state === 'open' && (wasOpen || ofBlocks.size === 0)) {
        if (!ofBlocks.has(refusal)) ordinary.add(refusal);
        return response;
      }
      wasOpen = state === 'open';
      if (!wasOpen) {
        ofBlocks.add(refusal);
        blocks += 1;
      }
      drop(response);
      if (state === 'is blocked' || blocks > MAX_BLOCKS_OF_A_REQUEST) throw asUnsent(blocked(response.status));
    }
  }

  return { send };
}

/** Undefined if a token has ended, or cannot be renewed. */
async function validHeaders({ headers }: WireRequest, tokens: Tokens): Promise<WireRequest['headers'] | undefined> {
  try {
    return await withValidTokens(headers, tokens);
  } catch (error) {
    if (error instanceof NotTried || error instanceof HarnessError) return undefined;
    throw error;
  }
}

const blocked = (status: number): NotTried =>
  new NotTried(
    `a target that does not block the run after wrong credentials (status ${status}, also for a request that was accepted before)`,
  );
