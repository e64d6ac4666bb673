/** Returns the provider info of every integration. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { providerInfo } from './get-integration.ts';

export const listIntegrations: Endpoint<'listIntegrations'> = ({ world }) =>
  ok([...world.integrations.values()].map((integration) => providerInfo(world, integration)));
