/** The revocation endpoint: a refresh token revokes its whole grant, an access token only itself (RFC 7009). */
import type { Reply } from '../../http/reply.ts';
import type { WorldState } from '../../state/world-state.ts';
import { authenticateClient } from './authenticate-client.ts';
import { revoke, type AuthorizationServer } from './authorization-server.ts';
import { type Client } from '../../state/oauth.ts';
import { NO_STORE } from './oauth-error.ts';
import { requireParameter, type Parameters } from './parameters.ts';
import { invalidGrant } from './oauth-problems.ts';
import { serviceServer } from './service-server.ts';
import { readToken } from './tokens.ts';

const REVOKED = {
  status: 200,
  headers: { ...NO_STORE, 'content-type': 'text/plain; charset=utf-8' },
  body: '',
} as const;

/** `header`: the Authorization header. Ignores unknown and expired tokens. */
export async function handleRevocation(
  world: WorldState,
  header: string | undefined,
  parameters: Parameters,
): Promise<Reply<undefined>> {
  const server = serviceServer(world);
  const client = authenticateClient(server, header, parameters);
  const id = await revocableId(world, client, requireParameter(parameters, 'token'));
  if (id !== undefined) revoke(server, id);
  return REVOKED;
}

/** Of the third party: revokes the grant of a refresh token. Ignores unknown tokens, and access tokens, which nothing checks. */
export function handleProviderRevocation(
  server: AuthorizationServer,
  header: string | undefined,
  parameters: Parameters,
): Reply<undefined> {
  const client = authenticateClient(server, header, parameters);
  const grant = server.state.refreshTokens.get(requireParameter(parameters, 'token'))?.grant;
  if (grant !== undefined && grant.client !== client.id) throw invalidGrant('The token was issued to another client.');
  if (grant !== undefined) revoke(server, grant.id);
  return REVOKED;
}

/** Throws invalid_grant for a token of another client (RFC 6749 5.2). Ignores token_type_hint (RFC 7009 2.1): the formats differ. */
async function revocableId(world: WorldState, client: Client, token: string): Promise<string | undefined> {
  const grant = world.oauth.refreshTokens.get(token)?.grant;
  const claims = grant === undefined ? await readToken(world, token) : undefined;
  if ((grant?.client ?? claims?.client_id ?? client.id) !== client.id)
    throw invalidGrant('The token was issued to another client.');
  // A token without the claims needed to verify it is found among the minted ones.
  return grant?.id ?? claims?.jti ?? world.credentials.get(token)?.revocableAs?.[0];
}
