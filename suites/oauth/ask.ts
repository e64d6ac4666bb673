/** Asks the OAuth endpoints as the target's client: form-encoded (RFC 6749 4.4.2), and never following a redirect. */
import { surfaces } from '../../spec/documents.ts';
import type { Run } from '../conforms.ts';
import type { Exchange, HeaderInput } from '../target/client.ts';
import { basicOf } from '../target/target.ts';
import type { OAuthClient, Target } from '../target/target.ts';

/** A member left out is not sent; a list is sent as often. */
export type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How the client proves itself: HTTP Basic, both parts form-encoded (RFC 6749 2.3.1), or members of the body. */
export type Proof = 'basic' | 'post';

export function clientOf(run: Run): OAuthClient {
  return run.need(run.target.client, 'an OAuth client with its secret');
}

export interface TokenQuestion {
  readonly proof?: Proof;
  /** Who is said to ask; left out: the target's client. */
  readonly as?: Pick<OAuthClient, 'id' | 'secret'>;
}

/** Throws Trouble once the target's client has been refused too often: a target may lock out whoever keeps failing to get in. */
export async function requestToken(run: Run, fields: Fields, question: TokenQuestion = {}): Promise<Exchange> {
  const { secret } = clientOf(run);
  // A server need not take the client in the body (RFC 6749 2.3.1): such a refusal says nothing of the secret.
  if (question.as !== undefined || question.proof === 'post' || 'client_id' in fields)
    return askToken(run, fields, question);
  run.refusals.mayUse(secret.name);
  const exchange = await askToken(run, fields, question);
  run.refusals.answered(secret.name, isUnknownClient(exchange) ? 401 : 200);
  return exchange;
}

/** 400 or 401 (RFC 6749 5.2). */
function isUnknownClient(exchange: Exchange): boolean {
  const { error } = tokenAnswer(exchange);
  return error === undefined ? exchange.answer.status === 401 : error === 'invalid_client';
}

function askToken(run: Run, fields: Fields, { proof = 'basic', as = clientOf(run) }: TokenQuestion): Promise<Exchange> {
  const client = clientOf(run);
  const inBody = proof === 'post' ? { client_id: as.id, client_secret: as.secret.value } : {};
  const headers: HeaderInput = {
    Accept: 'application/json',
    'Content-Type': 'application/x-www-form-urlencoded',
    ...(proof === 'basic' ? { Authorization: `Basic ${basicOf({ ...client, ...as }).value}` } : {}),
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
export interface TokenAnswer {
  readonly access_token?: string;
  readonly token_type?: string;
  readonly scope?: string;
  readonly expires_in?: number;
  readonly refresh_token?: string;
  readonly error?: string;
}

/** Members of another type are left out. */
export function tokenAnswer({ answer: { json } }: Exchange): TokenAnswer {
  if (typeof json !== 'object' || json === null) return {};
  const typeOf = { expires_in: 'number' } as Readonly<Record<string, string>>;
  const names = ['access_token', 'token_type', 'scope', 'expires_in', 'refresh_token', 'error'];
  return Object.fromEntries(
    Object.entries(json).filter(([name, value]) => names.includes(name) && typeof value === (typeOf[name] ?? 'string')),
  );
}
