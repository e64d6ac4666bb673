/** Returns the metadata of the authorization server, at both well-known addresses. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { metadataOf, openIdConfigurationOf } from '../../domains/oauth/metadata.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const getAuthorizationServerMetadata: Endpoint<'getAuthorizationServerMetadata'> = ({ world }) =>
  ok(metadataOf(serviceServer(world)));

export const getOpenIdConfiguration: Endpoint<'getOpenIdConfiguration'> = ({ world }) =>
  ok(openIdConfigurationOf(serviceServer(world), world.choices.tokens.alg));
