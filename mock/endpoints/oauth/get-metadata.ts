/** What the authorization server offers, at the two addresses where clients look for it. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { metadataOf, openIdConfigurationOf } from '../../domains/oauth/metadata.ts';
import { serviceServer } from '../../domains/oauth/service-server.ts';

export const getAuthorizationServerMetadata: Endpoint<'getAuthorizationServerMetadata'> = ({ world }) =>
  ok(metadataOf(serviceServer(world)));

export const getOpenIdConfiguration: Endpoint<'getOpenIdConfiguration'> = ({ world }) =>
  ok(openIdConfigurationOf(serviceServer(world), world.choices.tokens.alg));
