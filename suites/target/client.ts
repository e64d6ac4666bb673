/** Calls the operations of a target, or sends it anything at all, as one caller; gives back exchanges without secrets. */
import type { Surface } from '../../spec/documents.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import { headerNames } from '../../spec/brand.ts';
import { operation } from '../../spec/operations.ts';
import { replyFindings } from '../../spec/validators.ts';
import { NotTried } from '../violation.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import type { Creation, Pending } from './ledger.ts';
import { creationBy } from './creations.ts';
import type { Redaction } from './redaction.ts';
import type { Target } from './target.ts';
import { createStream } from './stream.ts';
import type { Stream } from './stream.ts';
import type { Transport, WireAnswer, WireRequest } from './transport.ts';

export type { Exchange } from './exchange.ts';
export type { Stream } from './stream.ts';

/** undefined takes a header away that would be sent otherwise; a list is sent as one line each. */
export type HeaderInput = Record<string, string | string[] | undefined>;

export interface CallInput {
  /** Percent-encoded; accountId and workspace come from the target where they are left out. */
  path?: Record<string, string>;
  query?: Record<string, string | number | undefined> | readonly (readonly [string, string])[];
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  headers?: HeaderInput;
}

export interface RawRequest {
  surface: Surface;
  method: string;
  /** Below the surface's address, with the query; sent as it is. */
  path: string;
  headers?: HeaderInput;
  body?: string | Uint8Array;
}

export interface Client {
  /** Throws NotTried where the target lacks the surface or a path value, Trouble where no answer comes. */
  call(id: OperationId, input?: CallInput): Promise<Exchange>;
  /** Anything, off the documents too. No Content-Type is added. */
  send(raw: RawRequest): Promise<Exchange>;
  /** As `call`, for an answer that may never end. Whoever opens a stream closes it. */
  open(id: OperationId, input?: CallInput): Promise<Stream>;
}

export interface FailedRequest {
  operation?: OperationId;
  request: SentRequest;
  failure: string;
  durationMs: number;
}

/** Who calls: what stands behind "Authorization: Bearer"; none: no credential at all. */
export interface Caller {
  bearer?: string;
  /** An API key's creating calls carry the workspace header. */
  isApiKey?: boolean;
}

export interface ClientParts {
  target: Target;
  transport: Transport;
  redaction: Redaction;
  /** Gives the number of the request that is about to be sent. */
  nextNumber(): number;
  /** Told of each exchange once it is over. */
  record(exchange: Exchange, number: number): void;
  /** Told of each request that got no answer. */
  recordFailure(failure: FailedRequest, number: number): void;
  /** Must have written the creation to disk when it returns. */
  willCreate(creation: Creation): Pending;
  /** Told of each removal that was answered with success. */
  didRemove(id: OperationId, path: Record<string, string>): void;
}

export function createClient(parts: ClientParts, caller: Caller): Client {
  const { target } = parts;

  function prepared(id: OperationId, input: CallInput): FilledRequest {
    const { surface, method, path } = operation(id);
    const headers = callHeaders(target, caller, surface, method, input.body !== undefined);
    const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
    const wanted = { surface, method, path: fillPath(path, target, input.path) + queryText(input.query), ...body };
    return { ...wanted, headers: merged(headers, input.headers) };
  }

  /** What the call creates is written down before it leaves, and what it removed after it is answered. */
  async function call(id: OperationId, input: CallInput = {}): Promise<Exchange> {
    const request = prepared(id, input);
    const creation = creationBy(id, input);
    const pending = creation === undefined ? undefined : parts.willCreate(creation);
    const exchanged = await exchange(request, id);
    const { status } = exchanged.answer;
    pending?.answered(status);
    const succeeded = status >= 200 && status < 300;
    if (succeeded && operation(id).method === 'DELETE') parts.didRemove(id, input.path ?? {});
    return exchanged;
  }

  async function send(raw: RawRequest): Promise<Exchange> {
    const { bearer } = caller;
    const own: HeaderInput = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` };
    return exchange({ ...raw, headers: merged(own, raw.headers) });
  }

  async function exchange(raw: FilledRequest, id?: OperationId): Promise<Exchange> {
    const { answer, made } = await answeredBy(raw, id, (wire) => parts.transport.send(wire));
    return made(answer);
  }

  async function open(id: OperationId, input: CallInput = {}): Promise<Stream> {
    const { answer, made } = await answeredBy(prepared(id, input), id, (wire) => parts.transport.open(wire));
    return createStream(answer, ({ status, headers }, text) => made({ status, headers, text, attempts: 1 }));
  }

  /** Sends; `made` makes the exchange of the whole answer, and records it. */
  async function answeredBy<A>(
    raw: FilledRequest,
    id: OperationId | undefined,
    sent: (wire: WireRequest) => Promise<A>,
  ) {
    const wire = wireRequest(target, raw);
    learnCredentials(raw.headers, parts.redaction);
    const number = parts.nextNumber();
    const started = performance.now();
    const about = { ...(id === undefined ? {} : { operation: id }), request: sentRequest(wire, parts.redaction) };
    const made = (answer: WireAnswer): Exchange => {
      const exchanged = { ...about, ...answered(answer, id), durationMs: performance.now() - started };
      learnTokens(exchanged.answer.json, parts.redaction);
      parts.record(exchanged, number);
      return exchanged;
    };
    try {
      return { answer: await sent(wire), made };
    } catch (error) {
      const failure = parts.redaction.text((error as Error).message);
      parts.recordFailure({ ...about, failure, durationMs: performance.now() - started }, number);
      throw error;
    }
  }

  return { call, send, open };
}

function callHeaders(target: Target, caller: Caller, surface: Surface, method: string, hasBody: boolean): HeaderInput {
  const names = headerNames(target.brand);
  const creates = caller.isApiKey === true && surface === 'management' && method === 'POST';
  return {
    Accept: 'application/json',
    ...(caller.bearer === undefined ? {} : { Authorization: `Bearer ${caller.bearer}` }),
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(creates && target.workspace !== undefined ? { [names.workspace]: target.workspace } : {}),
  };
}

/** Header names are one whatever their letter case; the spelling of the later one is sent. */
function merged(base: HeaderInput, over: HeaderInput = {}): Record<string, string | string[]> {
  const overridden = new Set(Object.keys(over).map((name) => name.toLowerCase()));
  const kept = Object.entries(base).filter(([name]) => !overridden.has(name.toLowerCase()));
  const all = [...kept, ...Object.entries(over)].filter(
    (entry): entry is [string, string | string[]] => entry[1] !== undefined,
  );
  return Object.fromEntries(all);
}

const segment = (value: string): string => encodeURIComponent(value.toWellFormed());

/** `path`, of the sandbox's file tree, keeps its slashes. */
function fillPath(template: string, target: Target, given: Record<string, string> = {}): string {
  const defaults: Record<string, string | undefined> = { accountId: target.account, workspace: target.workspace };
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? defaults[name];
    if (value !== undefined) return name === 'path' ? value.split('/').map(segment).join('/') : segment(value);
    if (name in defaults)
      throw new NotTried(name === 'accountId' ? 'the account of the target' : 'the workspace of the target');
    throw new Error(`${template}: no value for {${name}}`);
  });
}

function queryText(query: CallInput['query']): string {
  if (query === undefined) return '';
  const pairs = Array.isArray(query)
    ? (query as readonly (readonly [string, string])[])
    : Object.entries(query as object);
  const words = pairs
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${segment(name)}=${segment(String(value))}`);
  return words.length === 0 ? '' : `?${words.join('&')}`;
}

type FilledRequest = RawRequest & { headers: Record<string, string | string[]> };

function wireRequest(target: Target, raw: FilledRequest): WireRequest {
  const address = target.addresses[raw.surface];
  if (address === undefined) throw new NotTried(`the address of the ${raw.surface} surface`);
  const { origin, pathname } = new URL(address);
  const base = pathname === '/' ? '' : pathname;
  const { method, headers, body } = raw;
  return { method, origin, path: base + raw.path, headers, ...(body === undefined ? {} : { body }) };
}

function answered(wireAnswer: WireAnswer, id?: OperationId): Pick<Exchange, 'answer' | 'shape' | 'attempts'> {
  const { attempts, ...got } = wireAnswer;
  const json = parsed(got.text);
  return { answer: { ...got, json }, shape: id === undefined ? [] : replyFindings(id, got.status, json), attempts };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sentRequest({ method, origin, path, headers, body }: WireRequest, redaction: Redaction): SentRequest {
  const clean = Object.entries(headers).map(([name, value]): [string, string | string[]] => [
    name,
    Array.isArray(value) ? value.map(redaction.known) : redaction.known(value),
  ]);
  const sent = { method, url: redaction.known(origin + path), headers: Object.fromEntries(clean) };
  if (body === undefined) return sent;
  if (typeof body === 'string') return { ...sent, body: redaction.known(body) };
  const text = Buffer.from(body).toString('utf8');
  if (Buffer.from(text).equals(body)) return { ...sent, body: redaction.known(text) };
  return { ...sent, body: redaction.known(Buffer.from(body).toString('latin1')), bytes: true };
}

/** Whatever a credential header carries may be made out of a secret, by a case that alters one. */
function learnCredentials(headers: FilledRequest['headers'], redaction: Redaction): void {
  for (const [name, value] of Object.entries(headers))
    if (/authorization$/i.test(name))
      for (const line of [value].flat()) redaction.learnDerived(line.slice(line.indexOf(' ') + 1));
}

/** A token that the target has just issued is a secret from now on. */
function learnTokens(json: unknown, redaction: Redaction): void {
  if (typeof json !== 'object' || json === null) return;
  for (const key of ['access_token', 'refresh_token', 'id_token']) {
    const value = (json as Record<string, unknown>)[key];
    if (typeof value === 'string') redaction.learn(value, `SVC_ISSUED_${key.toUpperCase()}`);
  }
}
