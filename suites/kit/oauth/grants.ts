/** Requests tokens with client credentials, and authorization codes if the server needs no user interaction. */
import { createHash, randomBytes } from 'node:crypto';
import { NotTried } from '../../engine/conforms.ts';
import type { Run } from '../../engine/conforms.ts';
import type { Exchange } from '../../target/client.ts';
import { acceptedAuthentication, authorize, clientOf, requestToken, tokenResponse } from './token-requests.ts';
import type { Fields, TokenRequest } from './token-requests.ts';

/** A client credentials request and its fields. */
export interface OwnRequest {
  readonly fields: Fields;
  readonly exchange: Exchange;
}

/**
 * A client credentials request without a scope, or with all scopes of the client if the server has no default (RFC 6749
 * section 3.3), which some servers report as a missing parameter.
 */
export async function requestOwnToken(run: Run, options: TokenRequest = {}): Promise<OwnRequest> {
  const { scopes } = clientOf(run);
  const plain = { grant_type: 'client_credentials' };
  const exchange = await requestToken(run, plain, options);
  if (scopes.length === 0 || !(isIncomplete(exchange) || tokenResponse(exchange).error === 'invalid_scope'))
    return { fields: plain, exchange };
  const fields = { ...plain, scope: scopes.join(' ') };
  return { fields, exchange: await requestToken(run, fields, options) };
}

/** Throws NotTried if the client may not use this grant (decision 022), or the server requires more parameters. */
export async function ownGrant(run: Run, options: TokenRequest = {}): Promise<Exchange> {
  const { exchange } = await requestOwnToken(run, options);
  if (tokenResponse(exchange).error === 'unauthorized_client')
    throw new NotTried('a client that may use client credentials');
  // With a method by which no token is issued, the error is that of the method (decision 056).
  const { proof = await acceptedAuthentication(run) } = options;
  if (proof === (await acceptedAuthentication(run))) needComplete(run, exchange);
  return exchange;
}

/** Throws NotTried if the server requires more parameters than the interface and RFC 6749 document. */
export function needComplete(run: Run, exchange: Exchange): void {
  const { error, error_description: why } = tokenResponse(exchange);
  const actual = [`status ${exchange.response.status}`, error, why].filter(Boolean).join(', ');
  run.need(
    !isIncomplete(exchange),
    `the parameters that the token endpoint requires (it returned ${actual}); client.parameters in the target file adds some`,
  );
}

/** RFC 6749 section 5.2, RFC 8707 section 2. */
const isIncomplete = (exchange: Exchange): boolean =>
  ['invalid_request', 'invalid_target'].includes(tokenResponse(exchange).error ?? '');

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
