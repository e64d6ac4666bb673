/** Calls the operations of a target, or sends it anything at all, as one caller; gives back exchanges without secrets. */
import type { HeaderInput, CallInput, RawRequest, Caller, CallerCredential } from './request-types.ts';
import type { Surface } from '../../spec/documents.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { replyFindings } from '../../spec/validators.ts';
import { jsonIn } from '../json/json-in.ts';
import { NotTried } from './violation.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { isSuccess } from './ledger.ts';
import type { Creation, Pending } from './ledger.ts';
import { birthBy, callIn, creationBy } from './creations.ts';
import type { Call } from './creations.ts';
import type { Redaction } from './redaction.ts';
import type { Refusals } from './refusals.ts';
import type { Target } from './target.ts';
import type { Tokens } from './token.ts';
import { createStream } from './stream.ts';
import type { Stream, StreamOptions } from './stream.ts';
import type { OpenAnswer, Transport, WireAnswer, WireRequest } from './transport.ts';
import {
  callHeaders,
  carriesPlainly,
  couldWrite,
  fillPath,
  merged,
  queryText,
  sentRequest,
  wireRequest,
} from './wire-request.ts';
import type { Filled, FilledRequest } from './wire-request.ts';

export type { Exchange } from './exchange.ts';
export type { Stream } from './stream.ts';

export interface Client {
  /** Throws NotTried where the target lacks the surface or a path value, Trouble where no answer comes. */
  call(id: OperationId, input?: CallInput): Promise<Exchange>;
  /** Anything, off the documents too. No Content-Type is added. */
  send(raw: RawRequest): Promise<Exchange>;
  /** As `call`, for an answer that may never end. Whoever opens a stream closes it. */
  open(id: OperationId, input?: CallInput, options?: StreamOptions): Promise<Stream>;
}

export interface FailedRequest {
  surface: Surface;
  operation?: OperationId;
  /** As in an exchange. */
  credential?: string;
  request: SentRequest;
  failure: string;
  durationMs: number;
}

export interface ClientParts {
  target: Target;
  transport: Transport;
  redaction: Redaction;
  refusals: Refusals;
  tokens: Tokens;
  /** Whether requests may be sent that could change resources or files, or start a job. */
  mayWrite: boolean;
  /** Gives the number of the request that is about to be sent. */
  nextNumber(): number;
  /** Told of each exchange once it is over. */
  record(exchange: Exchange, number: number): void;
  /** Told of each request that got no answer. */
  recordFailure(failure: FailedRequest, number: number): void;
  /** Must have written the creation to disk when it returns. */
  willCreate(creation: Creation): Pending;
  /** Told of what a request would create that should not; undefined where it is there already, or nobody could tell whose it is. */
  mightCreate(creation: Creation): Pending | undefined;
  /** Told of each removal before it is sent; undefined where it is of nothing that the run created. */
  willRemove(id: OperationId, path: Record<string, string>): Pending | undefined;
  /** The call with the mark of the run, where it changes what the run did not make; left out where nothing is marked. */
  marked?: (id: OperationId, input: CallInput) => CallInput;
}

/** Where a client proves who it is (RFC 6749 2.3), and a bearer may be answered 401 for ever. */
const isOfOAuth = ({ surface, path }: Filled): boolean => surface === 'host' && path.startsWith('/oauth/');

/** Undefined where the request does not carry it as it is. */
function credentialOf(request: Filled, { bearer, credential }: Caller): CallerCredential | undefined {
  if (credential === undefined || !carriesPlainly(request.headers, bearer)) return undefined;
  return isOfOAuth(request) ? { ...credential, letsIn: false } : credential;
}

export function createClient(parts: ClientParts, caller: Caller): Client {
  const { target } = parts;

  function prepared(id: OperationId, input: CallInput): Promise<FilledRequest> {
    const { surface, method, path } = operation(id);
    const headers = callHeaders(target, caller, surface, method, input.body !== undefined);
    const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
    const wanted = { surface, method, path: fillPath(path, target, input.path) + queryText(input.query), ...body };
    return carrying({ ...wanted, headers: merged(headers, input.headers) });
  }

  /** With tokens that are valid now. Throws Trouble where one is used no more, or cannot be had; what throws is not written down anywhere. */
  async function carrying(request: Filled): Promise<FilledRequest> {
    if (!parts.mayWrite && couldWrite(request)) throw new NotTried('--allow write, to create and change resources');
    const credential = credentialOf(request, caller);
    if (credential?.letsIn === true) parts.refusals.mayUse(credential.name);
    const headers = await withValidTokens(request.headers, parts.tokens);
    return { ...request, headers, ...(credential === undefined ? {} : { credential }) };
  }

  async function call(id: OperationId, input: CallInput = {}): Promise<Exchange> {
    const request = await prepared(id, parts.marked?.(id, input) ?? input);
    return writtenDown({ id, input }, () => exchange(request, id));
  }

  /** What it creates or removes is written down before it leaves, and what came of it once it is answered. */
  async function writtenDown({ id, input }: Call, ask: () => Promise<Exchange>): Promise<Exchange> {
    const [creation, birth] = [creationBy(id, input), birthBy(id, input)];
    const created = creation === undefined ? birth && parts.mightCreate(birth) : parts.willCreate(creation);
    const removed = operation(id).method === 'DELETE' ? parts.willRemove(id, input.path ?? {}) : undefined;
    const exchanged = await ask();
    const { status, json } = exchanged.answer;
    created?.answered(status, isSuccess(status) ? creationBy(id, input, json) : undefined);
    // Sent twice, it may have been the first that removed it: then nobody knows.
    if (exchanged.attempts === 1 || (status !== 404 && status !== 410)) removed?.answered(status);
    return exchanged;
  }

  async function send(raw: RawRequest): Promise<Exchange> {
    const own: HeaderInput = caller.bearer === undefined ? {} : { Authorization: `Bearer ${caller.bearer}` };
    const request = await carrying({ ...raw, headers: merged(own, raw.headers) });
    const meant = callIn(raw);
    return meant === undefined ? exchange(request) : writtenDown(meant, () => exchange(request));
  }

  async function exchange(raw: FilledRequest, id?: OperationId): Promise<Exchange> {
    const { answer, made } = await answeredBy(raw, id, (wire) => parts.transport.send(wire));
    return made(answer);
  }

  async function open(id: OperationId, input: CallInput = {}, options: StreamOptions = {}): Promise<Stream> {
    const sent = await answeredBy(await prepared(id, input), id, (wire) => parts.transport.open(wire));
    const whole = ({ status, headers, attempts }: OpenAnswer, text: string) =>
      sent.made({ status, headers, text, attempts });
    return createStream(sent.request, sent.answer, whole, options);
  }

  /** Sends; `made` makes the exchange of the whole answer, and records it. */
  async function answeredBy<A extends { status: number }>(
    raw: FilledRequest,
    id: OperationId | undefined,
    sent: (wire: WireRequest) => Promise<A>,
  ) {
    const wire = wireRequest(target, raw);
    learnCredentials(raw.headers, parts.redaction);
    const number = parts.nextNumber();
    const started = performance.now();
    const about = {
      surface: raw.surface,
      ...(id === undefined ? {} : { operation: id }),
      ...(raw.credential === undefined ? {} : { credential: raw.credential.name }),
      request: sentRequest(wire, parts.redaction),
    };
    const made = (answer: WireAnswer): Exchange => {
      const exchanged = { ...about, ...answered(answer, id), durationMs: performance.now() - started };
      learnTokens(exchanged.answer.json, parts.redaction);
      parts.record(exchanged, number);
      return exchanged;
    };
    try {
      const answer = await sent(wire);
      if (raw.credential?.letsIn === true) parts.refusals.answered(raw.credential.name, answer.status);
      return { request: about.request, answer, made };
    } catch (error) {
      const failure = parts.redaction.text((error as Error).message);
      parts.recordFailure({ ...about, failure, durationMs: performance.now() - started }, number);
      throw error;
    }
  }

  return { call, send, open };
}

function answered(wireAnswer: WireAnswer, id?: OperationId): Pick<Exchange, 'answer' | 'shape' | 'attempts'> {
  const { attempts, ...got } = wireAnswer;
  const json = jsonIn(got.text);
  return { answer: { ...got, json }, shape: id === undefined ? [] : replyFindings(id, got.status, json), attempts };
}

/** A token that is sent as the target has it may have ended meanwhile. */
async function withValidTokens(headers: FilledRequest['headers'], tokens: Tokens): Promise<FilledRequest['headers']> {
  const valid = async (line: string): Promise<string> => {
    const [, scheme = '', token] = /^(\S+ +)(\S+)$/.exec(line) ?? [];
    return token === undefined ? line : scheme + (await tokens.valid(token));
  };
  const all = Object.entries(headers).map(async ([name, value]) => {
    if (!/authorization$/i.test(name)) return [name, value] as const;
    return [name, Array.isArray(value) ? await Promise.all(value.map(valid)) : await valid(value)] as const;
  });
  return Object.fromEntries(await Promise.all(all));
}

/** Whatever a credential header carries may be made out of a secret, by a case that alters one. */
function learnCredentials(headers: FilledRequest['headers'], redaction: Redaction): void {
  for (const [name, value] of Object.entries(headers))
    if (/authorization$/i.test(name))
      for (const line of [value].flat()) redaction.learnDerived(line.slice(line.indexOf(' ') + 1));
}

/** A shorter one could be guessed, and stands in words of the report's own. */
const SHORTEST_TOKEN = 8;

/** A token that the target has just issued is a secret from now on. */
function learnTokens(json: unknown, redaction: Redaction): void {
  if (typeof json !== 'object' || json === null) return;
  for (const key of ['access_token', 'refresh_token', 'id_token']) {
    const value = (json as Record<string, unknown>)[key];
    if (typeof value === 'string' && value.length >= SHORTEST_TOKEN)
      redaction.learn(value, `SVC_ISSUED_${key.toUpperCase()}`);
  }
}
