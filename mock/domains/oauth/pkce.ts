/** Proof key for code exchange (RFC 7636). */
import { createHash } from 'node:crypto';
import type { Challenge, Client } from '../../state/oauth.ts';
import type { Parameters } from './parameters.ts';
import { invalidGrant, invalidRequest } from './oauth-problems.ts';

export const challengeMethods = ['S256', 'plain'] as const;

/** RFC 7636 4.1. */
const VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** The challenge of an authorization request. Throws if a public client sends none. */
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
    throw invalidRequest(`code_challenge is not in the format of ${method} (RFC 7636 4.2).`);
  return { value, method };
}

/** Checks the verifier of a token request. Throws invalid_grant if it does not match, or if there was no challenge. */
export function verifyChallenge(challenge: Challenge | undefined, verifier: string | undefined): void {
  if (challenge === undefined) {
    // RFC 9700 4.8.2: an attacker may have removed the challenge from the authorization request.
    if (verifier !== undefined) throw invalidGrant('code_verifier was sent, but the code was requested without PKCE.');
    return;
  }
  if (verifier === undefined) throw invalidGrant('code_verifier is missing; the code was requested with PKCE.');
  const made = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url');
  if (!VERIFIER.test(verifier) || made !== challenge.value)
    throw invalidGrant('code_verifier does not match the code_challenge.');
}
