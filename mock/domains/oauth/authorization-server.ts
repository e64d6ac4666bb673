/** What an authorization server of the mock is: the service's own, or that of a third party. */
import type { Client, Grant, OAuthState } from '../../state/oauth.ts';
import type { Clock, Instant } from '../../time/clock.ts';
import type { Random } from '../../time/random.ts';

/** Somebody who may log in. */
export interface Person {
  readonly id: string;
  /** For the page: what tells this one from the others. */
  readonly description: string;
}

export type GrantType = 'authorization_code' | 'client_credentials' | 'refresh_token';

export interface AuthorizationServer {
  /** Shown on the login page. */
  readonly name: string;
  readonly issuer: string;
  /** Addresses by their name in RFC 8414 2. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly state: OAuthState;
  readonly clients: ReadonlyMap<string, Client>;
  /** The first one is whoever is logged in where nobody is named. */
  readonly people: readonly Person[];
  /** How the page sends what the person decided. */
  readonly formMethod: 'get' | 'post';
  readonly grantTypes: readonly GrantType[];
  /** By name, with what they are for; undefined: any name is one. */
  readonly scopes: Readonly<Record<string, string>> | undefined;
  /** Whether an authorization request that says this of `access_type` gets a refresh token with its code. */
  isOffline(accessType: string | undefined): boolean;
  /** A refresh token is then good once, and comes back as a new one. */
  readonly rotates: boolean;
  /** Of an access token. */
  readonly accessTokenSeconds: number;
  mintAccessToken(grant: Grant, scopes: readonly string[]): string;
  /** Called when a grant, or one access token, counts no longer. */
  onRevoked(id: string): void;
}

export const ACCESS_TOKEN_SECONDS = 3600;
export const CODE_SECONDS = 600;
export const REFRESH_TOKEN_SECONDS = 30 * 86_400;

/** The grant, or the one access token, of that id counts no longer. */
export function revoke(server: AuthorizationServer, id: string): void {
  const { state, clock } = server;
  // Nothing of a grant outlives its last refresh token and the access token got with it.
  remember(
    state.revoked,
    id,
    { expiresAt: clock.now() + (REFRESH_TOKEN_SECONDS + ACCESS_TOKEN_SECONDS) * 1000 },
    clock,
  );
  server.onRevoked(id);
}

/** Enters it, and forgets the oldest that have expired: all of one map live equally long. */
export function remember<Item extends { readonly expiresAt: Instant }>(
  map: Map<string, Item>,
  key: string,
  item: Item,
  clock: Clock,
): void {
  const now = clock.now();
  for (const [old, { expiresAt }] of map) {
    if (expiresAt > now) break;
    map.delete(old);
  }
  map.set(key, item);
}
