/**
 * Sends requests to the OAuth endpoints as the target's client: form-encoded (RFC 6749 section 4.4.2), without following
 * redirects.
 */
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { describeNeed } from '../../../spec/requirements/requirement.ts';
import { surfaces } from '../../../spec/openapi-document.ts';
import type { Run } from '../../engine/conforms.ts';
import type { Exchange } from '../../target/client.ts';
import { MAX_REFUSALS } from '../../target/refusals.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import { basicCredential, sourceOf, unencodedCredential } from '../../target/target.ts';
import type { OAuthClient, ClientAuthentication, Target } from '../../target/target.ts';
import { sharedValue } from '../../engine/shared-values.ts';
import { eventually, pollUntilTimeout } from '../../target/eventually.ts';
import { createSharedLock } from '../../target/places.ts';
import type { SharedLock } from '../../target/places.ts';

const authenticationOfClient = sharedValue<ClientAuthentication>();

/** Undefined values are not sent. An array is sent as repeated parameters. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export function clientOf(run: Run): OAuthClient {
  return run.need(run.target.client, describeNeed('client'));
}

export interface TokenRequest {
  /** Defaults to the client's own method. With none, no secret is sent. `unencoded`: HTTP Basic without form encoding. */
  readonly proof?: ClientAuthentication | 'unencoded' | 'none';
  /** The client to authenticate as. Defaults to the target's client. */
  readonly as?: Pick<OAuthClient, 'id' | 'secret'>;
}

/**
 * Throws NotTried once the target's client was refused too often, because a target may lock out clients after repeated failures:
 * the rule about its tokens fails, and others show nothing. Also if that happened because of wrong secrets of the run.
 */
export async function requestToken(run: Run, fields: Fields, options: TokenRequest = {}): Promise<Exchange> {
  const { secret } = clientOf(run);
  const accepted = await acceptedAuthentication(run);
  const { proof = accepted } = options;
  const send = () => sendTokenRequest(run, fields, { ...options, proof });
  if (options.as !== undefined || proof === 'none') return sendWrongClient(run, send);
  // A server need not accept both methods, so such a refusal proves nothing about the secret.
  if (proof !== accepted || 'client_id' in fields) return sendOwnClient(run, send);
  // Whichever rule comes first, the one that reports the refusal sends its requests.
  const isSent = run.refusals.isUsable(secret.name, 'host') || run.rule.id === RULE_OF_CLIENTS;
  run.need(isSent, describeRefusedClient(sourceOf(secret, 'client.secret')));
  const exchange = await sendOwnClient(run, send);
  run.refusals.record(secret.name, isUnknownClient(exchange) ? 401 : 200, 'host');
  return exchange;
}

const RULE_OF_CLIENTS: RequirementId = 'oauth.client-credentials.token-works';

const describeRefusedClient = (source: string): string =>
  `an OAuth client that the target accepts (${source} got status 401 ${MAX_REFUSALS} times in a row: see ${RULE_OF_CLIENTS})`;

interface WrongClients {
  readonly lock: SharedLock;
  /** Whether the run has sent any. */
  wereSent: boolean;
  /** Sends a request until the client is known. */
  readonly pollUntilKnown: ReturnType<typeof pollUntilTimeout<Exchange>>;
}

const wrongClients = sharedValue<WrongClients>();

const wrongClientsOf = (run: Run): Promise<WrongClients> =>
  wrongClients.get(run, async () => ({
    lock: createSharedLock(),
    wereSent: false,
    pollUntilKnown: pollUntilTimeout((exchange) => !isUnknownClient(exchange), run.patienceSeconds),
  }));

async function sendWrongClient(run: Run, send: () => Promise<Exchange>): Promise<Exchange> {
  const wrong = await wrongClientsOf(run);
  wrong.wereSent = true;
  return wrong.lock.shared(send);
}

/**
 * A server must limit guesses (RFC 6749 section 2.3.1), and may refuse the right secret for a while after wrong ones. Then the
 * request is repeated as soon as another one with the right secret is accepted, while no wrong one is sent.
 */
async function sendOwnClient(run: Run, send: () => Promise<Exchange>): Promise<Exchange> {
  const wrong = await wrongClientsOf(run);
  const exchange = await wrong.lock.shared(send);
  if (!isUnknownClient(exchange) || !wrong.wereSent) return exchange;
  return wrong.lock.alone(async () => {
    const proof = await acceptedAuthentication(run);
    const valid = await wrong.pollUntilKnown(() => sendTokenRequest(run, ownFields(run), { proof }));
    run.need(!isUnknownClient(valid), 'a client that the server does not lock after wrong secrets');
    return send();
  });
}

const ownFields = (run: Run): Fields => ({
  grant_type: 'client_credentials',
  scope: clientOf(run).scopes.join(' ') || undefined,
});

/**
 * The authentication method that the server accepts, which is undocumented (decision 056): the body if it is accepted
 * there, or refused there for another reason, and HTTP Basic is not accepted. A client that is refused with both counts
 * as refused once.
 */
export function acceptedAuthentication(run: Run): Promise<ClientAuthentication> {
  return authenticationOfClient.get(run, async () => {
    const { secret } = clientOf(run);
    const fields = ownFields(run);
    const byBasic = await sendTokenRequest(run, fields, { proof: 'basic' });
    if (isKnownClient(byBasic)) return 'basic';
    const byPost = await sendTokenRequest(run, fields, { proof: 'post' });
    if (isUnknownClient(byBasic) && isUnknownClient(byPost)) run.refusals.record(secret.name, 401, 'host');
    const isRefused = tokenResponse(byBasic).error === 'invalid_client';
    return isKnownClient(byPost) || (isRefused && !isUnknownClient(byPost)) ? 'post' : 'basic';
  });
}

/** The client got a token, or an error that is not about the client (RFC 6749 section 5.2, RFC 8707 section 2). */
function isKnownClient(exchange: Exchange): boolean {
  const { error = '' } = tokenResponse(exchange);
  const refusals = ['invalid_scope', 'invalid_target', 'unauthorized_client', 'unsupported_grant_type'];
  return exchange.response.status === 200 || refusals.includes(error);
}

/** The status is 400 or 401 (RFC 6749 section 5.2). */
function isUnknownClient(exchange: Exchange): boolean {
  const { error } = tokenResponse(exchange);
  return error === undefined ? exchange.response.status === 401 : error === 'invalid_client';
}

function sendTokenRequest(run: Run, fields: Fields, { proof, as = clientOf(run) }: TokenRequest): Promise<Exchange> {
  const client = clientOf(run);
  const inBody = proof === 'post' ? { client_id: as.id, client_secret: as.secret.value } : {};
  const headers: HeaderInput = {
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(proof === 'basic' ? { Authorization: `Basic ${basicCredential({ ...client, ...as }).value}` } : {}),
    ...(proof === 'unencoded' ? { Authorization: `Basic ${unencodedCredential({ ...client, ...as })}` } : {}),
  };
  // A token for a code or a refresh token is for what was authorized.
  const isAuthorized = ['authorization_code', 'refresh_token'].some((grant) => fields['grant_type'] === grant);
  const body = formEncoded({ ...(isAuthorized ? {} : client.parameters), ...fields, ...inBody });
  return run.as('none').send({ ...placeOf(run, client.tokenUrl ?? ''), method: 'POST', headers, body });
}

/** Requests a code, without the session that a browser would have; again and again if the server is overloaded. */
export function authorize(run: Run, fields: Fields): Promise<Exchange> {
  const { surface, path } = placeOf(run, clientOf(run).authorizationUrl ?? '');
  const headers = { Accept: 'text/html, */*' };
  const request = { surface, method: 'GET', path: `${path}?${formEncoded(fields)}`, headers } as const;
  return eventually(() => run.as('none').send(request), isAvailable, OVERLOAD_SECONDS);
}

const OVERLOAD_SECONDS = 5;

/** Not the redirect that stands for 503 (RFC 6749 section 4.1.2.1). */
const isAvailable = ({ response: { headers } }: Exchange): boolean =>
  !/[?&#]error=temporarily_unavailable(&|$)/.test(headers['location'] ?? '');

function formEncoded(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, each]),
  );
  return new URLSearchParams(pairs as [string, string][]).toString();
}

/** Which of the target's addresses the URL belongs to. Throws NotTried if none, because requests are only sent to these. */
export function placeOf(run: Run, url: string): { surface: (typeof surfaces)[number]; path: string } {
  const surface = surfaces.find((each) => url.startsWith(`${addressOf(run.target, each)}/`));
  const found = run.need(surface, `OAuth addresses below one of the target's own (${url.split(/[?#]/, 1)[0]} is not)`);
  return { surface: found, path: url.slice(addressOf(run.target, found).length) };
}

const addressOf = ({ addresses }: Target, surface: (typeof surfaces)[number]): string => addresses[surface] ?? '\n';

/** The fields of a token response (RFC 6749 sections 5.1 and 5.2). */
export interface TokenResponse {
  readonly access_token?: string;
  readonly token_type?: string;
  readonly scope?: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** Fields of a wrong type are omitted. */
export function tokenResponse({ response: { json } }: Exchange): TokenResponse {
  if (typeof json !== 'object' || json === null) return {};
  const expectedTypes = { expires_in: 'number' } as Readonly<Record<string, string>>;
  const tokens = ['access_token', 'refresh_token', 'id_token'];
  const names = [...tokens, 'token_type', 'scope', 'expires_in', 'error', 'error_description'];
  return Object.fromEntries(
    Object.entries(json).filter(
      ([name, value]) => names.includes(name) && typeof value === (expectedTypes[name] ?? 'string'),
    ),
  );
}
