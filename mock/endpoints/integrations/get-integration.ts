/** Returns the provider info of an integration: endpoints, authentication methods and supported features. */
import type { Integration } from '../../../spec/generated/types.ts';
import type { IntegrationFile } from '../../../spec/formats/world-file.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';
import { notFound } from '../../http/problems.ts';
import { withAddresses } from '../../domains/oauth/identity-provider.ts';
import type { WorldState } from '../../state/world-state.ts';

export const getIntegration: Endpoint<'getIntegration'> = ({ world, path }) => {
  const integration = world.integrations.get(path.integrationName);
  if (integration === undefined) throw notFound('Integration', path.integrationName);
  return ok(providerInfo(world, integration));
};

/** With the addresses of the identity provider, and without the members that only the mock needs. */
export function providerInfo({ addresses }: WorldState, integration: IntegrationFile): Integration {
  const { secretKeys: _ours, ...provider } = withAddresses(integration, addresses);
  return provider as Integration; // Its lists are only read.
}
