/** Fetches tokens with client credentials and renews them before they expire. */
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { quote } from '../../spec/formats/read-format.ts';
import { createIssuedTokens } from './issued-tokens.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import type { Head } from './retry-delay.ts';
import { basicCredential, secretsOf, unencodedCredential } from './target.ts';
import type { ClientAuthentication, Renewal, Secret, Target, TokenClient } from './target.ts';
import { createEndedTokens, lifetimeOf } from './token-end.ts';
import { HarnessError } from './transport.ts';
import type { WireRequest } from './request-types.ts';
import type { Transport } from './transport.ts';
import type { AuthenticatedRequest } from './wire-request.ts';

/** The token endpoint did not return a token. The message names the client's position in the target file. */
export class TokenError extends HarnessError {}

export type Token = Pick<Secret, 'value' | 'client' | 'renewal'>;

/**
 * Client credentials grant (RFC 6749 4.4). Sends the client in the body if HTTP Basic fails (decision 056). Throws TokenError
 * if both fail.
 */
export async function fetchToken(client: TokenClient, at: string, transport: Transport): Promise<Token> {
  const refusals: string[] = [];
  for (const method of client.method === undefined ? authenticationMethods : [client.method]) {
    const requestedAt = Date.now();
    const response = await transport.send(tokenRequest(client, method));
    const { access_token: value, expires_in: lifetime, error } = fieldsOf(jsonIn(response.text)) ?? {};
    refusals.push(
      typeof error === 'string' && ERROR.test(error) ? `${response.status} ${error}` : `${response.status}`,
    );
    if (response.status !== 200 || typeof value !== 'string' || value === '') continue;
    const seconds = secondsIn(lifetime) ?? lifetimeOf(value);
    if (seconds === undefined) return { value, client };
    const end = requestedAt + seconds * 1000;
    // Renewed at half of its lifetime, so that a request sent just before still has a valid token.
    const due = Math.max(requestedAt + MIN_RENEWAL_MS, halfway(requestedAt, end));
    return { value, client, renewal: { client: { ...client, method }, at, due, end } };
  }
  const refused = `${at}: ${quote(client.tokenUrl)} did not return a token (status ${refusals.join(', then ')})`;
  throw new TokenError(`${refused}${(await isNotDecoded(client, transport)) ? NOT_DECODED : '.'}`);
}

const NOT_DECODED =
  ', but does without form encoding of the id and secret in HTTP Basic (RFC 6749 section 2.3.1). Decode them at the token endpoint, or use an id and secret of letters, digits, "-", "." and "_".';

/** Whether the server returns a token if the id and secret are not encoded, which differ then. */
async function isNotDecoded(client: TokenClient, transport: Transport): Promise<boolean> {
  const isSame = basicCredential(client).value === unencodedCredential(client);
  if (isSame || client.method !== undefined) return false;
  try {
    const { status, text } = await transport.send(tokenRequest(client, 'unencoded'));
    return status === 200 && fieldsOf(jsonIn(text))?.['access_token'] !== undefined;
  } catch (error) {
    if (error instanceof HarnessError) return false;
    throw error;
  }
}

/** The code of an error. RFC 6749 section 5.2 also allows spaces and most punctuation. */
const ERROR = /^\w{1,60}$/;

/** The shortest time between two renewals. */
const MIN_RENEWAL_MS = 1000;

const halfway = (start: number, end: number): number => (start + end) / 2;

/** Some servers send a string. Undefined if it is not a number. */
function secondsIn(lifetime: unknown): number | undefined {
  const seconds = typeof lifetime === 'string' && lifetime.trim() !== '' ? Number(lifetime) : lifetime;
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : undefined;
}

const authenticationMethods: readonly ClientAuthentication[] = ['basic', 'post'];

const basicValues: Readonly<Record<ClientAuthentication | 'unencoded', (client: TokenClient) => string | undefined>> = {
  basic: (client) => basicCredential(client).value,
  unencoded: unencodedCredential,
  post: () => undefined,
};

function tokenRequest(client: TokenClient, method: keyof typeof basicValues): WireRequest {
  const basic = basicValues[method](client);
  const { tokenUrl, id, secret, scope, parameters } = client;
  const { origin, pathname } = new URL(tokenUrl);
  const form = new URLSearchParams({
    ...parameters,
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
    ...(method === 'post' ? { client_id: id, client_secret: secret.value } : {}),
  });
  return {
    method: 'POST',
    origin,
    path: pathname,
    headers: {
      ...(basic === undefined ? {} : { Authorization: `Basic ${basic}` }),
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
    },
    body: form.toString(),
  };
}

export interface Tokens {
  /**
   * Returns the token to send instead: a new one after half of the lifetime. Throws HarnessError if the token has expired and
   * cannot be renewed, NotTried if it was refused because it had ended.
   */
  valid(token: string): Promise<string>;
  /** Those that cases request. */
  readonly issued: IssuedTokens<AuthenticatedRequest>;
  /** Throws NotTried if the token, which `valid` has returned, was refused because it had ended. */
  noteRefusal(token: string, refusal: Head): void;
  /** Whether that explains why the token was refused. */
  hasEnded(token: string, refusal: Head): boolean;
}

/** After this many consecutive failures a token is no longer renewed. */
export const MAX_FAILURES = 5;

interface TokenState {
  readonly secret: Secret;
  /** Consecutive failures to renew it. */
  readonly failures: readonly HarnessError[];
}

/** Undefined if the token need not be renewed now. */
function dueRenewal({ secret: { renewal }, failures }: TokenState): Renewal | undefined {
  if (renewal === undefined || Date.now() < renewal.due) return undefined;
  return failures.length < MAX_FAILURES ? renewal : undefined;
}

/** Throws the last failure if the token has expired. */
function valueOf({ secret: { value, renewal }, failures }: TokenState): string {
  const lastFailure = failures.at(-1);
  if (lastFailure !== undefined && Date.now() >= (renewal?.end ?? Infinity)) throw lastFailure;
  return value;
}

/** `learn` is called with each new token, to redact it. */
export function createTokens(
  target: Target,
  transport: Transport,
  learn: (token: string, name: string) => void,
): Tokens {
  const states = secretsOf(target).map((secret): [string, TokenState] => [secret.value, { secret, failures: [] }]);
  const latest = new Map(states.map(([token, each]) => [token, Promise.resolve(each)]));
  const ends = createEndedTokens(target);
  const issued = createIssuedTokens<AuthenticatedRequest>();

  async function renewToken({ secret, failures }: TokenState, renewal: Renewal): Promise<TokenState> {
    try {
      const token = await fetchToken(renewal.client, renewal.at, transport);
      learn(token.value, secret.name);
      ends.add(token.value, secret.value);
      return { secret: { name: secret.name, ...token }, failures: [] };
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      const due = halfway(Date.now(), renewal.end);
      return { secret: { ...secret, renewal: { ...renewal, due } }, failures: [...failures, error] };
    }
  }

  return {
    issued,
    noteRefusal(token, refusal) {
      ends.noteRefusal(token, refusal);
      ends.throwIfEnded(token);
    },
    hasEnded: (token, refusal) => ends.hasEnded(token, refusal),
    async valid(token) {
      ends.throwIfEnded(token);
      const known = latest.get(token);
      if (known === undefined) return issued.current(token);
      const before = await known;
      const renewal = dueRenewal(before);
      if (renewal === undefined) return valueOf(before);
      if (latest.get(token) === known) latest.set(token, renewToken(before, renewal)); // one renewal for all concurrent requests
      return valueOf(await (latest.get(token) ?? known));
    },
  };
}
