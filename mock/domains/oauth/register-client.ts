/** Registers a client that knows only the address of the server, as MCP clients do (RFC 7591 3). */
import type { ClientRegistration, RegisteredClient } from '../../../spec/generated/types.ts';
import { scopes as allScopes } from '../../../spec/values.ts';
import { requireWithin } from '../../http/limits.ts';
import { forbidden, Problem } from '../../http/problems.ts';
import type { WorldState } from '../../state/world-state.ts';
import { authenticationMethods } from './authenticate-client.ts';
import { isRedirectUri } from './clients.ts';

/** What a client may request that names no known scope: enough for the MCP servers, which require none. */
const DEFAULT_SCOPES = ['functions:get', 'sandboxes:get'];

/** Throws invalid_redirect_uri or invalid_client_metadata; forbidden if the mock can be reached from other machines. */
export function registerClient(
  world: WorldState,
  { redirect_uris: redirectUris, ...rest }: ClientRegistration,
): RegisteredClient {
  const { clients, random, clock, limits, openRegistration } = world;
  // A registered client can log in as any caller, because the login page asks for no password.
  if (!openRegistration) throw forbidden('A mock that is not on a loopback address registers no clients.');
  requireWithin(limits, 'clients', clients.size + 1);
  const wrong = redirectUris.find((uri) => !isRedirectUri(uri));
  if (redirectUris.length === 0 || wrong !== undefined)
    throw new Problem(
      400,
      'invalid_redirect_uri',
      `redirect_uris must have absolute URIs without fragment; found ${wrong}.`,
    );
  const method = authenticationMethods.find(
    (each) => each === (rest.token_endpoint_auth_method ?? 'client_secret_basic'),
  );
  if (method === undefined)
    throw new Problem(
      400,
      'invalid_client_metadata',
      `token_endpoint_auth_method is unknown; allowed: ${authenticationMethods.join(', ')}.`,
    );
  const id = `client-${random.hex(16)}`;
  const name = rest.client_name ?? id;
  const known = rest.scope?.split(' ').filter((scope) => allScopes.some((each) => each === scope)) ?? [];
  const scopes = known.length > 0 ? known : DEFAULT_SCOPES;
  const secret = method === 'none' ? {} : { secret: random.hex(40) };
  clients.set(id, { id, name, redirectUris, scopes, ...secret });
  return {
    client_id: id,
    client_id_issued_at: Math.floor(clock.now() / 1000),
    ...(secret.secret !== undefined && { client_secret: secret.secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method,
    scope: scopes.join(' '),
  };
}
