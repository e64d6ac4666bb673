/** The OAuth endpoints. Each is loaded on its first call. */
import type { Endpoint } from '../endpoint.ts';

export const authorize: Endpoint<'authorize'> = async (call) => (await import('./authorize.ts')).authorize(call);

export const decideAuthorization: Endpoint<'decideAuthorization'> = async (call) =>
  (await import('./decide-authorization.ts')).decideAuthorization(call);

export const requestToken: Endpoint<'requestToken'> = async (call) =>
  (await import('./request-token.ts')).requestToken(call);

export const revokeToken: Endpoint<'revokeToken'> = async (call) =>
  (await import('./revoke-token.ts')).revokeToken(call);

export const getKeySet: Endpoint<'getKeySet'> = async (call) => (await import('./get-key-set.ts')).getKeySet(call);

export const getAuthorizationServerMetadata: Endpoint<'getAuthorizationServerMetadata'> = async (call) =>
  (await import('./get-metadata.ts')).getAuthorizationServerMetadata(call);

export const getOpenIdConfiguration: Endpoint<'getOpenIdConfiguration'> = async (call) =>
  (await import('./get-metadata.ts')).getOpenIdConfiguration(call);

export const getProtectedResourceMetadata: Endpoint<'getProtectedResourceMetadata'> = async (call) =>
  (await import('./get-metadata.ts')).getProtectedResourceMetadata(call);

export const getSandboxResourceMetadata: Endpoint<'getSandboxResourceMetadata'> = async (call) =>
  (await import('./get-metadata.ts')).getSandboxResourceMetadata(call);

export const registerClient: Endpoint<'registerClient'> = async (call) =>
  (await import('./register-client.ts')).registerClient(call);
