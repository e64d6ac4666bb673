/** The token endpoint: exchanges a code, client credentials or a refresh token for an access token (RFC 6749 4.1.3, 4.4.2, 6). */
import type { TokenResponse } from '../../../spec/generated/types.ts';
import type { Reply } from '../../http/reply.ts';
import { authenticateClient } from './authenticate-client.ts';
import type { AuthorizationServer, GrantType } from './authorization-server.ts';
import type { Client, Grant } from '../../state/oauth.ts';
import { redeemCode } from './codes.ts';
import { NO_STORE } from './oauth-error.ts';
import { requireParameter, type Parameters } from './parameters.ts';
import { grantOfRefreshToken, issueRefreshToken, useRefreshToken } from './refresh-tokens.ts';
import { unauthorizedClient, unsupportedGrantType } from './oauth-problems.ts';
import { narrowScopes, scopesFor } from './scopes.ts';

interface Granted {
  readonly grant: Grant;
  /** Of the access token. */
  readonly scopes: readonly string[];
  readonly refreshToken?: string;
}

type Redeem = (server: AuthorizationServer, client: Client, parameters: Parameters) => Granted;

const redeems: Readonly<Record<GrantType, Redeem>> = {
  authorization_code: byCode,
  client_credentials: byClient,
  refresh_token: byRefreshToken,
};

/** `header`: the Authorization header. Throws the errors of RFC 6749 5.2. */
export async function handleTokenRequest(
  server: AuthorizationServer,
  header: string | undefined,
  parameters: Parameters,
): Promise<Reply<TokenResponse>> {
  const client = authenticateClient(server, header, parameters);
  const grantType = requireParameter(parameters, 'grant_type');
  const type = server.grantTypes.find((each) => each === grantType);
  if (type === undefined) throw unsupportedGrantType(grantType, server.grantTypes);
  const { grant, scopes, refreshToken } = redeems[type](server, client, parameters);
  const body = {
    access_token: server.mintAccessToken(grant, scopes),
    token_type: 'Bearer',
    expires_in: server.accessTokenSeconds,
    scope: scopes.join(' '),
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
  return { status: 200, headers: NO_STORE, body };
}

function byCode(server: AuthorizationServer, client: Client, parameters: Parameters): Granted {
  if (client.redirectUris.length === 0) throw unauthorizedClient('The client has no redirection URI.');
  const grant = redeemCode(server, client, parameters);
  const refreshToken = grant.offline ? { refreshToken: issueRefreshToken(server, grant) } : {};
  return { grant, scopes: grant.scopes, ...refreshToken };
}

function byClient(server: AuthorizationServer, client: Client, parameters: Parameters): Granted {
  const { id, secret, caller } = client;
  if (secret === undefined || caller === undefined)
    throw unauthorizedClient('The client may not use client credentials: it is public or has no caller.');
  const scopes = scopesFor(server, client, parameters.get('scope'));
  return { scopes, grant: { id: server.random.uuid(), client: id, subject: caller, scopes, offline: false } };
}

/** The grant keeps all its scopes, even if this access token has only some of them. */
function byRefreshToken(server: AuthorizationServer, client: Client, parameters: Parameters): Granted {
  const token = requireParameter(parameters, 'refresh_token');
  const grant = grantOfRefreshToken(server, client, token);
  const scopes = narrowScopes(grant.scopes, parameters.get('scope'));
  useRefreshToken(server, token);
  return { grant, scopes, ...(server.rotates && { refreshToken: issueRefreshToken(server, grant) }) };
}
