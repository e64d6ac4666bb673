/** The type of the mock's authorization servers: the service's own and the third party's. */
import type { WorldLimitName, WorldLimits } from '../../../spec/formats/mock-limits.ts';
import { requireWithin } from '../../http/limits.ts';
import type { Client, Grant, OAuthState } from '../../state/oauth.ts';
import type { Clock, Instant } from '../../time/clock.ts';
import type { Random } from '../../time/random.ts';

/** A user who can log in. */
export interface Person {
  readonly id: string;
  /** Displayed on the login page. */
  readonly description: string;
}

export type GrantType = 'authorization_code' | 'client_credentials' | 'refresh_token';

export interface AuthorizationServer {
  /** Displayed on the login page. */
  readonly name: string;
  readonly issuer: string;
  /** Endpoint URLs by their names in RFC 8414 2. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly state: OAuthState;
  readonly limits: WorldLimits;
  readonly clients: ReadonlyMap<string, Client>;
  /** The first is the default user. */
  readonly people: readonly Person[];
  /** Method of the login page's form. */
  readonly formMethod: 'get' | 'post';
  readonly grantTypes: readonly GrantType[];
  /** Descriptions by name. Undefined: any name is a scope. */
  readonly scopes: Readonly<Record<string, string>> | undefined;
  /** Whether an authorization request with this `access_type` yields a refresh token. */
  isOffline(accessType: string | undefined): boolean;
  /** Whether using a refresh token replaces it with a new one. */
  readonly rotates: boolean;
  /** Lifetime of an access token. */
  readonly accessTokenSeconds: number;
  mintAccessToken(grant: Grant, scopes: readonly string[]): string;
  /** Called when a grant or an access token is revoked. */
  onRevoked(id: string): void;
}

export const ACCESS_TOKEN_SECONDS = 3600;
export const CODE_SECONDS = 600;
export const REFRESH_TOKEN_SECONDS = 30 * 86_400;

/** Revokes the grant or access token of that id. */
export function revoke(server: AuthorizationServer, id: string): void {
  const { state, clock } = server;
  // No token of a grant is valid longer than its last refresh token plus one access token.
  const expiresAt = clock.now() + (REFRESH_TOKEN_SECONDS + ACCESS_TOKEN_SECONDS) * 1000;
  remember(server, 'tokens', state.revoked, id, { expiresAt });
  server.onRevoked(id);
}

/** Adds an entry and drops expired ones. Throws a problem if the map has as many as `limit` allows. */
export function remember<Item extends { readonly expiresAt: Instant }>(
  { clock, limits }: Pick<AuthorizationServer, 'clock' | 'limits'>,
  limit: WorldLimitName,
  map: Map<string, Item>,
  key: string,
  item: Item,
): void {
  const now = clock.now();
  for (const [old, { expiresAt }] of map) if (expiresAt <= now) map.delete(old);
  if (!map.has(key)) requireWithin(limits, limit, map.size + 1);
  map.set(key, item);
}
