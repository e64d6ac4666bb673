/** OAuth clients and the state of an authorization server, as plain data. */
import type { Instant } from '../time/clock.ts';

export interface Client {
  readonly id: string;
  /** Displayed on the login page. */
  readonly name: string;
  /** Absent: a public client (RFC 6749 2.1), which must use PKCE. */
  readonly secret?: string;
  /** Compared as strings. Empty: the client may not request codes. */
  readonly redirectUris: readonly string[];
  /** Scopes it may request; the default if a request names none. */
  readonly scopes: readonly string[];
  /** Subject of its client-credentials tokens; absent: the client may not use that grant. */
  readonly caller?: string;
  /** Workspace of its client-credentials tokens. Default: the caller's. */
  readonly workspace?: string;
}

/** What a user granted to a client, or a client's own access. */
export interface Grant {
  readonly id: string;
  readonly client: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** Whether a refresh token is issued. */
  readonly offline: boolean;
}

export interface Challenge {
  readonly value: string;
  readonly method: 'S256' | 'plain';
}

export interface Code {
  readonly grant: Grant;
  /** As in the authorization request; absent if it had none. */
  readonly redirectUri?: string;
  readonly challenge?: Challenge;
  /** Exclusive. */
  readonly expiresAt: Instant;
  readonly used: boolean;
}

export interface RefreshToken {
  readonly grant: Grant;
  /** Exclusive. */
  readonly expiresAt: Instant;
  readonly used: boolean;
}

/** Where tokens of a world were signed, and how they are verified: also if a snapshot carries them into another world. */
export interface TokenIssuer {
  /** The claim `aud`, an address of the world. The claim `iss` depends on the request for the token. */
  readonly audience: string;
  /** The Ed25519 public key, as the member `x` of its JWK (RFC 8037 2). */
  readonly publicKey: string;
}

/** Of one world; the oldest are dropped. */
export const MAX_TOKEN_ISSUERS = 100;

/** The state of an authorization server. Used codes and tokens stay until they expire, to detect a second use. */
export interface OAuthState {
  readonly codes: Map<string, Code>;
  readonly refreshTokens: Map<string, RefreshToken>;
  /** Revoked grants and access tokens by id, and when the entry may be dropped. */
  readonly revoked: Map<string, { readonly expiresAt: Instant }>;
}

export function createOAuthState(): OAuthState {
  return { codes: new Map(), refreshTokens: new Map(), revoked: new Map() };
}

/** Why a refresh token of a client is refused; undefined if it is valid. */
export function refusalOfRefreshToken(
  { refreshTokens, revoked }: OAuthState,
  client: string,
  token: string,
  now: Instant,
): string | undefined {
  const found = refreshTokens.get(token);
  if (found === undefined || found.grant.client !== client)
    return 'The refresh token is unknown or belongs to another client.';
  if (revoked.has(found.grant.id)) return 'The refresh token is revoked.';
  if (found.used) return 'The refresh token has been used already; its tokens are revoked.';
  return found.expiresAt <= now ? 'The refresh token has expired.' : undefined;
}
