/** Proof key for code exchange (RFC 7636). */
import { createHash } from 'node:crypto';
import type { Challenge, Client } from '../../state/oauth.ts';
import type { Parameters } from './parameters.ts';
import { invalidGrant, invalidRequest } from './oauth-problems.ts';

export const challengeMethods = ['S256', 'plain'] as const;

/** RFC 7636 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** Of an authorization request; a public client must bring one. */
export function challengeOf(parameters: Parameters, { secret }: Client): Challenge | undefined {
  const value = parameters.get('code_challenge');
  const method = parameters.get('code_challenge_method');
  if (value === undefined) {
    if (secret === undefined) throw invalidRequest('code_challenge is missing; a public client must use PKCE.');
    if (method !== undefined) throw invalidRequest('code_challenge_method is given without a code_challenge.');
    return undefined;
  }
  return checked(value, method ?? 'plain');
}

function checked(value: string, method: string): Challenge {
  if (method !== 'S256' && method !== 'plain')
    throw invalidRequest(`code_challenge_method is '${method}'; allowed: ${challengeMethods.join(', ')}.`);
  if (!(method === 'S256' ? S256_CHALLENGE : VERIFIER).test(value))
    throw invalidRequest(`code_challenge has not the form that ${method} gives it (RFC 7636 4.2).`);
  return { value, method };
}

/** Of a token request. Throws invalid_grant where the verifier is not the one, or there is one and no challenge. */
export function verifyChallenge(challenge: Challenge | undefined, verifier: string | undefined): void {
  if (challenge === undefined) {
    // RFC 9700 4.8.2: the challenge was cut out of the request on its way.
    if (verifier !== undefined) throw invalidGrant('code_verifier is given, and the code was asked for without PKCE.');
    return;
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing; the code was asked for with PKCE.');
  const made = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  if (!VERIFIER.test(verifier) || made !== challenge.value)
    throw invalidGrant('code_verifier is not what the code_challenge was made from.');
}
