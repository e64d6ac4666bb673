/** The third party's authorization server. `access_type=offline` yields a refresh token. */
import type { WorldState } from '../../state/world-state.ts';
import { noteRevocation } from '../resources/incidents.ts';
import { ACCESS_TOKEN_SECONDS, type AuthorizationServer } from './authorization-server.ts';
import { identityProviderAt } from './identity-provider.ts';
import { invalidRequest } from './oauth-problems.ts';

/** `host`: the address of the world for the client of the request. */
export function thirdPartyServer(world: WorldState, host: string): AuthorizationServer {
  const { clock, random, identityProvider, limits } = world;
  const { users, clients, state } = identityProvider;
  const root = identityProviderAt({ host });
  return {
    name: 'the mock identity provider',
    issuer: root,
    endpoints: {
      authorization_endpoint: `${root}/authorize`,
      token_endpoint: `${root}/token`,
      revocation_endpoint: `${root}/revoke`,
    },
    clock,
    random,
    state,
    limits,
    clients,
    people: users.map((id) => ({ id, description: 'has an account with the third party' })),
    formMethod: 'post',
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: undefined,
    isOffline,
    // Integration connections store the refresh token, so it does not rotate.
    rotates: false,
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,
    mintAccessToken: () => `third-party-${random.hex(40)}`,
    onRevoked: (grant) => noteRevocation(world, grant),
  };
}

function isOffline(accessType = 'online'): boolean {
  if (accessType !== 'online' && accessType !== 'offline')
    throw invalidRequest(`access_type is '${accessType}'; allowed: online, offline.`);
  return accessType === 'offline';
}
