/** Returns the metadata of the authorization server, at both well-known addresses, and of the resources that accept its tokens. */
import type { Call, Endpoint } from '../endpoint.ts';
import { metadataOf, NOT_STORED, openIdConfigurationOf, resourceMetadataOf } from '../../domains/oauth/metadata.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';
import type { Reply } from '../../http/reply.ts';
import { requestedAddress, requestedHost } from '../../state/requested-address.ts';
import { sandboxNamesIn } from '../../state/urls.ts';

const notStored = <Body>(body: Body): Reply<Body> => ({ status: 200, headers: NOT_STORED, body });
const serverOf = (call: Call) => serviceServer(call.world, requestedHost(call));

export const getAuthorizationServerMetadata: Endpoint<'getAuthorizationServerMetadata'> = (call) =>
  notStored(metadataOf(serverOf(call)));

export const getOpenIdConfiguration: Endpoint<'getOpenIdConfiguration'> = (call) =>
  notStored(openIdConfigurationOf(serverOf(call), call.world.choices.tokens.alg));

const resourceAt = (call: Call, path: string) =>
  notStored(resourceMetadataOf(serverOf(call), `${requestedAddress(call)}/${encodeURI(path)}`));

/** The path of the request names the resource: every path of an address accepts the same tokens. */
export const getProtectedResourceMetadata: Endpoint<'getProtectedResourceMetadata'> = (call) =>
  resourceAt(call, call.path.path);

export const getSandboxResourceMetadata: Endpoint<'getSandboxResourceMetadata'> = (call) => {
  const { path, workspace, sandboxName } = call.path as typeof call.path & Record<'workspace' | 'sandboxName', string>;
  const hasOwnName = sandboxNamesIn(call.headers.host) !== undefined;
  return resourceAt(call, hasOwnName ? path : `sandbox/${workspace}/${sandboxName}/${path}`);
};
