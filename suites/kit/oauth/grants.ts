/** Requests tokens with client credentials, and authorization codes if the server needs no user interaction. */
import { createHash, randomBytes } from 'node:crypto';
import { NotTried } from '../../engine/conforms.ts';
import type { Run } from '../../engine/conforms.ts';
import type { Exchange } from '../../target/client.ts';
import { authorize, clientOf, requestToken, tokenResponse } from './token-requests.ts';
import type { Fields, TokenRequest } from './token-requests.ts';

/**
 * A client credentials request without a scope, or with all scopes of the client if the server has no default (RFC 6749
 * section 3.3). Throws NotTried if the client may not use this grant (decision 022).
 */
export async function ownGrant(run: Run, options: TokenRequest = {}): Promise<Exchange> {
  const { scopes } = clientOf(run);
  const plain = await requestToken(run, { grant_type: 'client_credentials' }, options);
  const { error } = tokenResponse(plain);
  if (error === 'unauthorized_client') throw new NotTried('a client that may use client credentials');
  if (error !== 'invalid_scope' || scopes.length === 0) return plain;
  return requestToken(run, { grant_type: 'client_credentials', scope: scopes.join(' ') }, options);
}

/** A client credentials request with exactly these scopes. */
export const scopedGrant = (run: Run, scope: string): Promise<Exchange> =>
  requestToken(run, { grant_type: 'client_credentials', scope });

export interface Code {
  readonly value: string;
  /** Parameters that the exchange must repeat. */
  readonly fields: Fields;
  readonly exchange: Exchange;
}

/** A code without user interaction. Throws NotTried if the page needs user interaction or the client has no redirect URI. */
export async function newCode(
  run: Run,
  { scope, pkce = true }: { scope?: string; pkce?: boolean } = {},
): Promise<Code> {
  const { redirectUri } = clientOf(run);
  const redirect_uri = run.need(redirectUri, 'a redirection URI of the client');
  const code_verifier = pkce ? randomBytes(32).toString('base64url') : undefined;
  const request = { ...codeRequest(run), ...challenge(code_verifier), scope: scope ?? scopeOf(run) };
  for (const prompt of ['none', undefined]) {
    const exchange = await authorize(run, { ...request, prompt });
    const value = codeIn(exchange, redirect_uri);
    if (value !== undefined) return { value, exchange, fields: { redirect_uri, code_verifier } };
  }
  throw new NotTried('an authorize endpoint that issues a code without user interaction');
}

/** Fixed because no browser is involved, so requests cannot be forged. A server may require eight characters or more. */
const STATE = 'assay-state';

/** RFC 6749 section 4.1.1. */
export function codeRequest(run: Run): Fields {
  const { id, redirectUri } = clientOf(run);
  return { response_type: 'code', client_id: id, redirect_uri: redirectUri, scope: scopeOf(run), state: STATE };
}

const scopeOf = (run: Run): string | undefined => clientOf(run).scopes.join(' ') || undefined;

/** RFC 7636. A server without PKCE ignores unknown parameters (RFC 6749 section 3.1). */
export function challenge(verifier: string | undefined): Fields {
  if (verifier === undefined) return {};
  return { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' };
}

/** RFC 7636 section 4.2, S256. */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

const codeIn = (exchange: Exchange, redirectUri: string): string | undefined =>
  redirectedParameters(exchange, redirectUri)?.get('code') ?? undefined;

/** The parameters that a redirect passes to the client. Undefined if there is no redirect to it. */
export function redirectedParameters(
  { response: { status, headers } }: Exchange,
  redirectUri: string,
): URLSearchParams | undefined {
  const location = headers['location'];
  if (status < 300 || status > 399 || location === undefined || !location.startsWith(redirectUri)) return undefined;
  return URL.parse(location)?.searchParams;
}

export function exchangeCode(run: Run, { value, fields }: Code, options: TokenRequest = {}): Promise<Exchange> {
  return requestToken(run, { grant_type: 'authorization_code', code: value, ...fields }, options);
}
