/** Calls operations of a target, or sends arbitrary requests, as one caller. Returns exchanges without secrets. */
import type { Blocks } from './blocks.ts';
import type { Priority } from './gate.ts';
import type { HeaderInput, CallInput, RawRequest, Caller, CallerCredential } from './request-types.ts';
import type { Surface } from '../../spec/openapi-document.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { listedVersionIn } from '../../spec/operation-versions.ts';
import { replyFindings } from '../../spec/validators.ts';
import { isTooDeep, jsonIn, MAX_DEPTH } from '../json/json-in.ts';
import { weakJson } from '../json/weak-json.ts';
import { NotTried, OperationsMissing } from './violation.ts';
import { wasRepeated } from './exchange.ts';
import type { Exchange, SentRequest } from './exchange.ts';
import { createFlight, type Flight } from './flight.ts';
import { isSuccess } from './ledger.ts';
import type { Creation, Pending, PendingCreation } from './ledger.ts';
import { resourceCreatedBy, callFromRequest, describeCreation } from './creations.ts';
import type { Call } from './creations.ts';
import { MIN_QUOTED_LENGTH } from './redaction.ts';
import type { Redaction } from './redaction.ts';
import type { Refusals } from './refusals.ts';
import type { Target } from './target.ts';
import type { Tokens } from './token.ts';
import { trackWrites } from './concurrent-writes.ts';
import { isRefusal, refusesEnded, sendWithIssuedTokens, tokensIn, withValidTokens } from './sent-tokens.ts';
import { createStream } from './stream.ts';
import type { Stream, StreamOptions } from './stream.ts';
import { HarnessError, unsentError, wasNeverSent } from './transport.ts';
import type { WireRequest } from './request-types.ts';
import type { StreamingResponse, Transport, WireResponse } from './transport.ts';
import { carriesOnlyBearer, couldWrite, mergeHeaders, requestOf, sentRequest, wireRequest } from './wire-request.ts';
import type { ResolvedRequest, AuthenticatedRequest } from './wire-request.ts';

export type { Exchange } from './exchange.ts';
export type { Stream } from './stream.ts';

/** Of all clients of the process. */
const beginWrite = trackWrites();

export interface Client {
  /** Throws NotTried if the target lacks the surface or a path value, HarnessError if there is no response. */
  call(id: OperationId, input?: CallInput): Promise<Exchange>;
  /** Sends any request, including undocumented ones. Adds no Content-Type. */
  send(raw: RawRequest): Promise<Exchange>;
  /** Like `call`, for a response that may never end. The caller must close the stream. */
  open(id: OperationId, input?: CallInput, options?: StreamOptions): Promise<Stream>;
}

export interface FailedRequest {
  surface: Surface;
  operation?: OperationId;
  /** As in an exchange. */
  credential?: string;
  request: SentRequest;
  failure: string;
  /** As in an exchange. */
  sentAt?: number;
  durationMs: number;
}

export interface ClientParts {
  target: Target;
  transport: Transport;
  redaction: Redaction;
  refusals: Refusals;
  blocks: Blocks;
  tokens: Tokens;
  /** Of its requests. Defaults to normal. */
  priority?: Priority;
  /** Whether requests may be sent that could change resources or files, or start a job. */
  mayWrite: boolean;
  /** Whether nothing more may be sent, because the case took too long or the time of the run is over. */
  isOver?: () => boolean;
  /** Called with each request that may change something, and what is recorded about it. Returns it. */
  noteWrite?: (write: Promise<Exchange>) => Promise<Exchange>;
  /** Returns the number of the next request. */
  nextNumber(): number;
  /** Called with each completed exchange that may be judged. */
  record(exchange: Exchange, number: number): void;
  /** Called with each request that got no response, or only one that says that its token has ended. */
  recordFailure(failure: FailedRequest, number: number): void;
  /** Must have written the creation to disk when it resolves. */
  willCreate(creation: Creation): Promise<PendingCreation>;
  /**
   * Records what a request would create before it is sent. Undefined if that already exists, or if its owner could not
   * be determined.
   */
  mightCreate(creation: Creation): PendingCreation | undefined;
  /** Records each removal before it is sent. Undefined if the run did not create the resource. */
  willRemove(id: OperationId, path: Record<string, string>): Pending | undefined;
  /** Notes each request that may make a recorded change. Undefined if it makes none. Omitted if no changes are recorded. */
  willUpdate?: (id: OperationId, path: Record<string, string>) => Pending | undefined;
  /** Adds the label of the run to a call that changes a resource that the run did not create. Omitted if nothing is labelled. */
  addRunLabel?: (id: OperationId, input: CallInput) => CallInput;
}

/** OAuth endpoints, where a client authenticates itself (RFC 6749 section 2.3) and a bearer token may always get 401. */
const isOAuthRequest = ({ surface, path }: ResolvedRequest): boolean =>
  surface === 'host' && path.startsWith('/oauth/');

/** Undefined if the request does not carry it unchanged. */
function credentialOf(request: ResolvedRequest, { bearer, credential }: Caller): CallerCredential | undefined {
  if (credential === undefined || !carriesOnlyBearer(request.headers, bearer)) return undefined;
  return isOAuthRequest(request) ? { ...credential, canAuthenticate: false } : credential;
}

/**
 * Sends a request and records the outcome of its create, if it is one. `returned` describes the resource in the body of a
 * successful response, which by default is the one that was recorded before.
 */
export async function sendCreate(
  created: PendingCreation | undefined,
  sendRequest: () => Promise<Exchange>,
  returned: (json: unknown) => Creation | undefined = () => undefined,
): Promise<Exchange> {
  const complete = ({ response: { status, json } }: Exchange): void =>
    created?.complete(status, isSuccess(status) ? returned(json) : undefined);
  try {
    const exchange = await sendRequest();
    complete(exchange);
    return exchange;
  } catch (error) {
    if (error instanceof OperationsMissing && error.exchange !== undefined) complete(error.exchange);
    else if (wasNeverSent(error)) created?.cancel();
    else created?.giveUp();
    throw error;
  }
}

const tookTooLong = (): HarnessError => unsentError('the case took too long, or the time of the run is over');

function assertMaySend({ isOver, mayWrite }: ClientParts, request: ResolvedRequest): void {
  if (isOver?.() === true) throw tookTooLong();
  if (!mayWrite && couldWrite(request)) throw new NotTried('--allow write, to create and change resources', 'write');
}

/** Records a creation before it is sent. Throws a HarnessError if the case may send nothing more. */
export async function willCreate(
  parts: Pick<ClientParts, 'willCreate' | 'isOver'>,
  creation: Creation,
): Promise<PendingCreation> {
  if (parts.isOver?.() === true) throw tookTooLong();
  const created = await parts.willCreate(creation);
  if (parts.isOver?.() !== true) return created;
  created.cancel(); // It waited for the budget meanwhile.
  throw tookTooLong();
}

/**
 * Records what a call creates, or could create by mistake, before it is sent. Undefined if that is nothing. Throws a
 * HarnessError if the case took too long meanwhile.
 */
async function recordCreation(parts: ClientParts, { id, input }: Call): Promise<PendingCreation | undefined> {
  const creation = describeCreation(id, input);
  if (creation !== undefined) return await willCreate(parts, creation);
  const unexpected = resourceCreatedBy(id, input);
  return unexpected && parts.mightCreate(unexpected);
}

/** 502 or 504 of a gateway does not say whether the create was carried out (RFC 9110 15.6.3 and 15.6.5). */
const isUnanswered = ({ request, response: { status } }: Exchange): boolean =>
  request.method === 'POST' && (status === 502 || status === 504);

const isGone = ({ response: { status } }: Exchange): boolean => isSuccess(status) || status === 404 || status === 410;

/** As if the transport had sent it again. */
const afterUnanswered = ({ response }: Exchange, repeated: Exchange): Exchange => ({
  ...repeated,
  repeatedAfter: [response.status, ...repeated.repeatedAfter],
});

/**
 * Records what a request creates or removes before it is sent, and the outcome after the response. If it is not known whether
 * the resource was created, removes it and sends the create again.
 */
async function sendRecorded(
  parts: ClientParts,
  { id, input }: Call,
  sendRequest: () => Promise<Exchange>,
  call: Client['call'],
): Promise<Exchange> {
  const created = await recordCreation(parts, { id, input });
  const removed = operation(id).method === 'DELETE' ? parts.willRemove(id, input.path ?? {}) : undefined;
  const updated = parts.willUpdate?.(id, input.path ?? {});
  const completed = await sendCreate(created, sendRequest, (json) => describeCreation(id, input, json));
  const { status } = completed.response;
  if (!wasRepeated(completed)) updated?.complete(status);
  // An earlier attempt may have removed it, so the outcome is unknown.
  if (!wasRepeated(completed) || (status !== 404 && status !== 410)) removed?.complete(status);
  const removal = isUnanswered(completed) ? created?.ownRemoval() : undefined;
  if (removal === undefined || !isGone(await call(removal.operation, removal))) return completed;
  const again = await recordCreation(parts, { id, input });
  const repeated = await sendCreate(again, sendRequest, (json) => describeCreation(id, input, json));
  // The removal may take effect later.
  return repeated.response.status === 409 ? afterUnanswered(completed, repeated) : repeated;
}

export function createClient(parts: ClientParts, caller: Caller): Client {
  const { target } = parts;

  const prepareCall = async (id: OperationId, input: CallInput): Promise<AuthenticatedRequest> =>
    withCredentials(requestOf(target, caller, id, input));

  /**
   * Replaces expired tokens. Throws HarnessError if one is no longer used or cannot be renewed, NotTried if it has ended; then
   * nothing is recorded.
   */
  async function withCredentials(request: ResolvedRequest): Promise<AuthenticatedRequest> {
    assertMaySend(parts, request);
    const credential = credentialOf(request, caller);
    const headers = await withValidTokens(request.headers, parts.tokens);
    if (credential?.canAuthenticate === true)
      parts.refusals.assertUsable(credential.name, credential.source, request.surface);
    return { ...request, headers, ...(credential === undefined ? {} : { credential }) };
  }

  async function call(id: OperationId, input: CallInput = {}): Promise<Exchange> {
    const request = await prepareCall(id, parts.addRunLabel?.(id, input) ?? input);
    return unlessEnded(parts.tokens, request, await sendAndNote(request, { id, input }, () => exchange(request, id)));
  }

  function sendAndNote(
    request: ResolvedRequest,
    known: Call | undefined,
    sendRequest: () => Promise<Exchange>,
  ): Promise<Exchange> {
    const sent = known === undefined ? sendRequest() : sendRecorded(parts, known, sendRequest, call);
    return parts.noteWrite !== undefined && couldWrite(request) ? parts.noteWrite(sent) : sent;
  }

  async function send(raw: RawRequest): Promise<Exchange> {
    const own: HeaderInput = caller.bearer === undefined ? {} : { Authorization: `Bearer ${caller.bearer}` };
    const request = await withCredentials({ ...raw, headers: mergeHeaders(own, raw.headers) });
    const knownCall = callFromRequest(raw);
    return unlessEnded(parts.tokens, request, await sendAndNote(request, knownCall, () => exchange(request)));
  }

  const exchange = (raw: AuthenticatedRequest, id?: OperationId): Promise<Exchange> =>
    sendWithIssuedTokens(parts.tokens.issued, raw, (each) =>
      sendAndRecord(each, id, (wire) => parts.transport.send(wire, parts.priority)),
    );

  async function open(id: OperationId, input: CallInput = {}, options: StreamOptions = {}): Promise<Stream> {
    const [request, flight] = [await prepareCall(id, input), options.flight ?? createFlight()];
    const sent = await sendAndRecord(request, id, (wire) => parts.transport.open(wire, flight), dropStream(flight));
    const whole = ({ status, headers, repeatedAfter }: StreamingResponse, text: string, isCut: boolean) =>
      sent.toExchange({ status, headers, text, ...(isCut && { isCut }), repeatedAfter });
    return streamUnlessEnded(parts.tokens, request, createStream(sent.request, sent.response, whole, options));
  }

  /** Sends a request. `toExchange` creates the exchange from the complete response and records it. */
  async function sendAndRecord<A extends ResponseHead>(
    raw: AuthenticatedRequest,
    id: OperationId | undefined,
    sent: (wire: WireRequest) => Promise<A>,
    drop?: (response: A) => void,
  ) {
    const wire = wireRequest(target, raw);
    learnCredentials(raw, parts.redaction);
    const number = parts.nextNumber();
    const started = performance.now();
    const about = { ...describeRequest(raw, id), request: sentRequest(wire, parts.redaction) };
    const endWrite = beginWrite(about.request.method, about.request.url);
    const toExchange = (response: WireResponse): Exchange => {
      const completed = {
        ...about,
        ...readResponse(response, id, listedVersionIn(raw.headers, target.brand)),
        durationMs: performance.now() - started,
        isConcurrent: endWrite(),
      };
      learnTokens(completed.response.json, parts.redaction);
      if (refusesEnded(parts.tokens, raw, response)) {
        const { durationMs, response: refusal } = completed;
        parts.recordFailure({ ...about, failure: `status ${refusal.status}: ${OF_ENDED}`, durationMs }, number);
      } else parts.record(completed, number);
      return completed;
    };
    try {
      const response = await sendUnlessBlocked(parts, raw, wire, () => sent(wire), drop);
      return { request: about.request, response, toExchange };
    } catch (error) {
      endWrite();
      // Not a request of the case: it waited for its turn when the case was cut.
      if (parts.isOver?.() === true && wasNeverSent(error)) throw error;
      const failure = parts.redaction.text((error as Error).message);
      parts.recordFailure({ ...about, failure, durationMs: performance.now() - started }, number);
      throw error;
    }
  }

  return { call, send, open };
}

/** Ends a stream whose request is sent again later. */
const dropStream =
  (flight: Flight) =>
  (response: StreamingResponse): void => {
    flight.sentMs = undefined;
    response.disconnect();
  };

const OF_ENDED = 'the token of the request has ended';

/** Sends a request while the run is not blocked, and counts a refusal of its credential. */
async function sendUnlessBlocked<A extends ResponseHead>(
  { blocks, refusals, tokens }: ClientParts,
  raw: AuthenticatedRequest,
  wire: WireRequest,
  sendOnce: () => Promise<A>,
  drop?: (response: A) => void,
): Promise<A> {
  const response = await blocks.send({ ...wire, credential: knownCredential(raw, tokens) }, sendOnce, drop);
  if (raw.credential?.canAuthenticate === true) refusals.record(raw.credential.name, response.status, raw.surface);
  return response;
}

/** The valid credential of a request, of the target or issued during the run. */
function knownCredential({ credential, headers }: AuthenticatedRequest, { issued }: Tokens): string | undefined {
  return credential?.canAuthenticate === true
    ? credential.name
    : tokensIn(headers).find((token) => issued.isIssued(token));
}

/** What an exchange has besides its request, when it is sent. */
const describeRequest = ({ surface, credential }: AuthenticatedRequest, id: OperationId | undefined) => ({
  surface,
  sentAt: Date.now(),
  ...(id === undefined ? {} : { operation: id }),
  ...(credential === undefined ? {} : { credential: credential.name }),
});

/** Throws HarnessError if the body is nested too deep. */
function readResponse(
  wireResponse: WireResponse,
  id: OperationId | undefined,
  version: string | undefined,
): Pick<Exchange, 'response' | 'shape' | 'repeatedAfter'> {
  const { repeatedAfter, ...head } = wireResponse;
  if (isTooDeep(head.text)) throw new HarnessError(`a response body is nested deeper than ${MAX_DEPTH} levels`);
  const json = jsonIn(head.text);
  const jsonOf = weakJson(head.text, json);
  const response = {
    ...head,
    get json() {
      return jsonOf();
    },
  };
  const shape = id === undefined ? [] : replyFindings(id, head.status, json, version);
  return { response, shape, repeatedAfter };
}

type ResponseHead = Pick<StreamingResponse, 'status' | 'headers'>;

/** Throws NotTried if the target refused a token because it had ended. */
function throwIfEnded(tokens: Tokens, { headers }: AuthenticatedRequest, response: ResponseHead): void {
  if (!isRefusal(response)) return;
  for (const token of tokensIn(headers)) tokens.noteRefusal(token, response);
}

function unlessEnded(tokens: Tokens, request: AuthenticatedRequest, exchange: Exchange): Exchange {
  throwIfEnded(tokens, request, exchange.response);
  return exchange;
}

async function streamUnlessEnded(tokens: Tokens, request: AuthenticatedRequest, stream: Stream): Promise<Stream> {
  try {
    throwIfEnded(tokens, request, stream);
  } catch (error) {
    await stream.close();
    throw error;
  }
  return stream;
}

/** Shorter tokens could also occur as words of the report. */
const MIN_TOKEN_LENGTH = 8;

/** A case may send an altered secret in a credential header, and an altered cursor that contains a secret. */
function learnCredentials({ headers, path }: AuthenticatedRequest, redaction: Redaction): void {
  const query = new URLSearchParams(path.split('?').slice(1).join('?'));
  for (const value of query.values())
    if (value.length >= MIN_TOKEN_LENGTH) redaction.learnDerived(value, MIN_QUOTED_LENGTH);
  for (const [name, value] of Object.entries(headers))
    if (/authorization$/i.test(name))
      for (const line of [value].flat()) redaction.learnDerived(line.slice(line.indexOf(' ') + 1));
}

/** A token that the target has just issued is a secret from now on. */
function learnTokens(json: unknown, redaction: Redaction): void {
  if (typeof json !== 'object' || json === null) return;
  for (const key of ['access_token', 'refresh_token', 'id_token']) {
    const value = (json as Record<string, unknown>)[key];
    if (typeof value === 'string' && value.length >= MIN_TOKEN_LENGTH)
      redaction.learn(value, `SVC_ISSUED_${key.toUpperCase()}`);
  }
}
