/** Authorization server metadata (RFC 8414 2). */
import type { AuthorizationServerMetadata, ProtectedResourceMetadata } from '../../../spec/generated/types.ts';
import { authenticationMethods } from './authenticate-client.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import type { TokenChoices } from '../../state/choices.ts';
import { challengeMethods } from './pkce.ts';

/** It depends on headers that caches do not compare. */
export const NOT_STORED = { 'cache-control': 'no-store' } as const;

export function metadataOf(server: AuthorizationServer): AuthorizationServerMetadata {
  const { issuer, endpoints, grantTypes, scopes } = server;
  return {
    issuer,
    ...(endpoints as { authorization_endpoint: string; token_endpoint: string }),
    ...(scopes && { scopes_supported: Object.keys(scopes) }),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grantTypes,
    token_endpoint_auth_methods_supported: authenticationMethods,
    ...('revocation_endpoint' in endpoints && { revocation_endpoint_auth_methods_supported: authenticationMethods }),
    code_challenge_methods_supported: challengeMethods,
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
  };
}

/** OpenID Connect Discovery 3 requires two more members, although the mock issues no ID tokens. */
export function openIdConfigurationOf(
  server: AuthorizationServer,
  alg: TokenChoices['alg'] = 'EdDSA',
): AuthorizationServerMetadata {
  return {
    ...metadataOf(server),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [alg],
  };
}

/** RFC 9728 2. Any scope is enough, or none: the endpoints that refer to it require only a valid credential. */
export function resourceMetadataOf(
  { issuer }: Pick<AuthorizationServer, 'issuer'>,
  resource: string,
): ProtectedResourceMetadata {
  return { resource, authorization_servers: [issuer], bearer_methods_supported: ['header'] };
}
