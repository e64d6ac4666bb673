/** The mock identity provider, with which integration connections are made. */
import type { IdentityProviderFile, IntegrationFile } from '../../../spec/formats/world-file.ts';
import type { Addresses } from '../../state/addresses.ts';
import type { IdentityProvider } from '../../state/world-state.ts';
import { createOAuthState } from '../../state/oauth.ts';
import { IDENTITY_PROVIDER } from '../resources/connection-secrets.ts';
import { clientsOf } from './clients.ts';

export function createIdentityProvider({ users, clients }: IdentityProviderFile): IdentityProvider {
  return { users, clients: clientsOf(clients, 'identityProvider.clients', []), state: createOAuthState() };
}

/** Below `/_mock`, but with the access rules of the API. */
export const IDENTITY_PROVIDER_PATH = '/_mock/idp';

/** Its URL. */
export function identityProviderAt({ host }: Pick<Addresses, 'host'>): string {
  return `${host}${IDENTITY_PROVIDER_PATH}`;
}

/** Replaces `{identityProvider}` in the endpoints of an integration with the URL of the mock's provider. */
export function withAddresses(integration: IntegrationFile, addresses: Addresses): IntegrationFile {
  const { endpoints } = integration;
  if (endpoints === undefined) return integration;
  const filled = JSON.stringify(endpoints).replaceAll(IDENTITY_PROVIDER, identityProviderAt(addresses));
  return { ...integration, endpoints: JSON.parse(filled) as typeof endpoints };
}
