/** The third party that connections of integrations are made with: what a world holds of it. */
import type { IdentityProviderFile, IntegrationFile } from '../../../fixtures/worlds/world-file.ts';
import type { Addresses, IdentityProvider } from '../../state/world-state.ts';
import { createOAuthState } from '../../state/oauth.ts';
import { clientsOf } from './clients.ts';

export function createIdentityProvider({ users, clients }: IdentityProviderFile): IdentityProvider {
  return { users, clients: clientsOf(clients, 'identityProvider.clients', []), state: createOAuthState() };
}

/** Below the root of a world, beside what steers the mock; open to whoever may ask the service. */
export const IDENTITY_PROVIDER_PATH = '/_mock/idp';

/** Where it is served. */
export function identityProviderAt({ host }: Addresses): string {
  return `${host}${IDENTITY_PROVIDER_PATH}`;
}

/** What an integration says of its provider: `{identityProvider}` in its endpoints stands for the address of this one. */
export function withAddresses(integration: IntegrationFile, addresses: Addresses): IntegrationFile {
  const { endpoints } = integration;
  if (endpoints === undefined) return integration;
  const filled = JSON.stringify(endpoints).replaceAll('{identityProvider}', identityProviderAt(addresses));
  return { ...integration, endpoints: JSON.parse(filled) as typeof endpoints };
}
