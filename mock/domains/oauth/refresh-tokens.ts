/** Refresh tokens. Reuse of a rotated one indicates theft and revokes its grant (RFC 9700 4.14.2). */
import { REFRESH_TOKEN_SECONDS, remember, revoke, type AuthorizationServer } from './authorization-server.ts';
import { refusalOfRefreshToken, type Client, type Grant } from '../../state/oauth.ts';
import { invalidGrant } from './oauth-problems.ts';

export function issueRefreshToken(server: AuthorizationServer, grant: Grant): string {
  const { random, state, clock } = server;
  const token = `refresh-${random.hex(40)}`;
  const expiresAt = clock.now() + REFRESH_TOKEN_SECONDS * 1000;
  remember(server, 'tokens', state.refreshTokens, token, { grant, expiresAt, used: false });
  return token;
}

/** The grant of a refresh token. Throws invalid_grant. */
export function grantOfRefreshToken(server: AuthorizationServer, client: Client, token: string): Grant {
  const { state, clock } = server;
  const refusal = refusalOfRefreshToken(state, client.id, token, clock.now());
  const found = state.refreshTokens.get(token);
  if (refusal === undefined && found !== undefined) return found.grant;
  if (found?.used === true && found.grant.client === client.id) revoke(server, found.grant.id);
  throw invalidGrant(refusal ?? 'The refresh token is unknown.');
}

/** Marks the token as used, if the server rotates. */
export function useRefreshToken({ rotates, state }: AuthorizationServer, token: string): void {
  const found = state.refreshTokens.get(token);
  if (rotates && found !== undefined) state.refreshTokens.set(token, { ...found, used: true });
}
