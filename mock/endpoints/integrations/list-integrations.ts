/** Provider info of every integration. */
import { ok, type Endpoint } from '../endpoint.ts';
import { providerInfo } from './get-integration.ts';

export const listIntegrations: Endpoint<'listIntegrations'> = ({ world }) =>
  ok([...world.integrations.values()].map(providerInfo));
