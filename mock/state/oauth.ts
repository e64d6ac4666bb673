/** OAuth clients, and what an authorization server remembers: plain data. */
import type { Instant } from '../time/clock.ts';

export interface Client {
  readonly id: string;
  /** For the page that asks a person. */
  readonly name: string;
  /** Absent: a public client (RFC 6749 2.1), which must use PKCE. */
  readonly secret?: string;
  /** Matched character by character; none: the client may not ask for codes. */
  readonly redirectUris: readonly string[];
  /** What it may ask for, and gets where it asks for nothing in particular. */
  readonly scopes: readonly string[];
  /** Whom its own tokens speak for; absent: the client may not use client credentials. */
  readonly caller?: string;
  /** Of its own tokens; absent: the caller's first. */
  readonly workspace?: string;
}

/** What a person allowed a client, or a client has of its own. */
export interface Grant {
  readonly id: string;
  readonly client: string;
  readonly subject: string;
  readonly scopes: readonly string[];
  /** A refresh token comes with it. */
  readonly offline: boolean;
}

export interface Challenge {
  readonly value: string;
  readonly method: 'S256' | 'plain';
}

export interface Code {
  readonly grant: Grant;
  /** As the authorization request named it; absent where it named none. */
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

/** What an authorization server remembers: plain data. What is used up stays until it expires, so that a second use is seen. */
export interface OAuthState {
  readonly codes: Map<string, Code>;
  readonly refreshTokens: Map<string, RefreshToken>;
  /** Ids of grants and of single access tokens, and until when they must be remembered. */
  readonly revoked: Map<string, { readonly expiresAt: Instant }>;
}

export function createOAuthState(): OAuthState {
  return { codes: new Map(), refreshTokens: new Map(), revoked: new Map() };
}
