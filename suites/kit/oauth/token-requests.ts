/** Asks the OAuth endpoints as the target's client: form-encoded (RFC 6749 4.4.2), and never following a redirect. */
import { surfaces } from '../../../spec/documents.ts';
import type { Run } from '../../engine/conforms.ts';
import type { Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import { basicCredential } from '../../target/target.ts';
import type { OAuthClient, ClientAuthentication, Target } from '../../target/target.ts';
import { sharedValue } from '../../engine/shared-values.ts';

const authenticationOfClient = sharedValue<ClientAuthentication>();

/** A member left out is not sent; a list is sent as often. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

export function clientOf(run: Run): OAuthClient {
  return run.need(run.target.client, 'an OAuth client with its secret');
}

export interface TokenRequest {
  /** Left out: the client's own. */
  readonly proof?: ClientAuthentication;
  /** Who is said to ask; left out: the target's client. */
  readonly as?: Pick<OAuthClient, 'id' | 'secret'>;
}

/** Throws Trouble once the target's client has been refused too often: a target may lock out whoever keeps failing to get in. */
export async function requestToken(run: Run, fields: Fields, options: TokenRequest = {}): Promise<Exchange> {
  const { secret } = clientOf(run);
  const own = await ownProof(run);
  const { proof = own } = options;
  // A server need not take the client in both ways: such a refusal says nothing of the secret.
  if (options.as !== undefined || proof !== own || 'client_id' in fields)
    return sendTokenRequest(run, fields, { ...options, proof });
  run.refusals.assertUsable(secret.name);
  const exchange = await sendTokenRequest(run, fields, { ...options, proof });
  run.refusals.record(secret.name, isUnknownClient(exchange) ? 401 : 200);
  return exchange;
}

/**
 * Which way the server takes is not shown (decision 056): the body, where it takes the client there, or refuses something
 * else, and does not know it by HTTP Basic. A client that is refused both ways has been refused once.
 */
export function ownProof(run: Run): Promise<ClientAuthentication> {
  return authenticationOfClient.get(run, async () => {
    const { secret, scopes } = clientOf(run);
    const fields = { grant_type: 'client_credentials', scope: scopes.join(' ') || undefined };
    const byBasic = await sendTokenRequest(run, fields, { proof: 'basic' });
    if (isKnownClient(byBasic)) return 'basic';
    const byPost = await sendTokenRequest(run, fields, { proof: 'post' });
    if (isUnknownClient(byBasic) && isUnknownClient(byPost)) run.refusals.record(secret.name, 401);
    const isRefused = tokenResponse(byBasic).error === 'invalid_client';
    return isKnownClient(byPost) || (isRefused && !isUnknownClient(byPost)) ? 'post' : 'basic';
  });
}

/** It got a token, or was refused for what it asked for (RFC 6749 5.2). */
function isKnownClient(exchange: Exchange): boolean {
  const { error = '' } = tokenResponse(exchange);
  const refusals = ['invalid_scope', 'unauthorized_client', 'unsupported_grant_type'];
  return exchange.response.status === 200 || refusals.includes(error);
}

/** 400 or 401 (RFC 6749 5.2). */
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
  };
  const body = written({ ...fields, ...inBody });
  return run.as('none').send({ ...placeOf(run, client.tokenUrl ?? ''), method: 'POST', headers, body });
}

/** Asks for a code. What a browser would bring along, a session above all, is not there. */
export function authorize(run: Run, fields: Fields): Promise<Exchange> {
  const { surface, path } = placeOf(run, clientOf(run).authorizationUrl ?? '');
  return run
    .as('none')
    .send({ surface, method: 'GET', path: `${path}?${written(fields)}`, headers: { Accept: 'text/html, */*' } });
}

function written(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, each]),
  );
  return new URLSearchParams(pairs as [string, string][]).toString();
}

/** On which of the target's addresses the URL is. Throws NotTried where it is on none: requests go to these alone. */
function placeOf(run: Run, url: string): { surface: (typeof surfaces)[number]; path: string } {
  const surface = surfaces.find((each) => url.startsWith(`${addressOf(run.target, each)}/`));
  const found = run.need(
    surface,
    `OAuth addresses below one of the target's own (${URL.parse(url)?.origin ?? url} is not)`,
  );
  return { surface: found, path: url.slice(addressOf(run.target, found).length) };
}

const addressOf = ({ addresses }: Target, surface: (typeof surfaces)[number]): string => addresses[surface] ?? '\n';

/** What a token answer says, as far as it has the form of RFC 6749 5.1 and 5.2. */
export interface TokenResponse {
  readonly access_token?: string;
  readonly token_type?: string;
  readonly scope?: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly error?: string;
}

/** Members of another type are left out. */
export function tokenResponse({ response: { json } }: Exchange): TokenResponse {
  if (typeof json !== 'object' || json === null) return {};
  const typeOf = { expires_in: 'number' } as Readonly<Record<string, string>>;
  const names = ['access_token', 'token_type', 'scope', 'expires_in', 'refresh_token', 'error'];
  return Object.fromEntries(
    Object.entries(json).filter(([name, value]) => names.includes(name) && typeof value === (typeOf[name] ?? 'string')),
  );
}
