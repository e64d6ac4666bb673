/** Whether the provider of an integration accepts the secrets of a connection. */
import type { FunctionSpec, IntegrationConnectionSpec } from '../../../spec/generated/types.ts';
import type { IntegrationFile } from '../../../spec/formats/world-file.ts';
import type { Workspace } from '../../state/accounts.ts';
import { refusalOfRefreshToken } from '../../state/oauth.ts';
import { findResource, type Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

/**
 * Why the provider refuses the secrets; undefined if it accepts them. Only the mock's own identity provider verifies any: those of
 * integrations with a REFRESH_TOKEN whose token endpoint it has.
 */
export function refusalOfSecrets(
  { integrations, identityProvider, clock, addresses }: WorldState,
  integration: string,
  secrets: Readonly<Record<string, string>>,
): string | undefined {
  const { endpoints = {} } = integrations.get(integration) ?? {};
  const token = String(endpoints['token']);
  const isOwn = token.startsWith(IDENTITY_PROVIDER) || token.startsWith(`${addresses.host}/`);
  if (!isOwn || !isMail(integrations.get(integration))) return undefined;
  const { CLIENT_ID = '', CLIENT_SECRET, REFRESH_TOKEN = '' } = secrets;
  const client = identityProvider.clients.get(CLIENT_ID);
  if (client === undefined || client.secret !== CLIENT_SECRET) return 'The client is unknown, or its secret is wrong.';
  return refusalOfRefreshToken(identityProvider.state, client.id, REFRESH_TOKEN, clock.now());
}

/** In the endpoints of an integration: the URL of the mock's identity provider, which differs between worlds. */
export const IDENTITY_PROVIDER = '{identityProvider}';

/** An OAuth-based mail integration: its connections have a refresh token. */
function isMail(integration: IntegrationFile | undefined): boolean {
  return integration?.secretKeys.includes('REFRESH_TOKEN') === true;
}

/** The name of the function's first mail connection; undefined if it has none. */
export function mailConnectionOf(
  world: WorldState,
  { name: workspace }: Workspace,
  { spec }: Resource,
): string | undefined {
  const { integrationConnections = [] } = spec as FunctionSpec;
  return integrationConnections.find((name) => {
    const connection = findResource(world, `${workspace}/integrations/connections`, name);
    const { integration = '' } = (connection?.spec ?? {}) as IntegrationConnectionSpec;
    return isMail(world.integrations.get(integration));
  });
}

/** Names of the connections that a function uses. */
export function connectionsOf({ spec }: Resource): readonly string[] {
  return (spec as FunctionSpec).integrationConnections ?? [];
}

/** Why a function cannot use its connections, in a sentence; undefined if it can. */
export function connectionProblem(world: WorldState, workspace: Workspace, user: Resource): string | undefined {
  for (const name of connectionsOf(user)) {
    const refusal = refusalOfConnection(world, workspace, name);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** Why a connection cannot be used, in a sentence; undefined if it can. */
export function refusalOfConnection(
  world: WorldState,
  { name: workspace }: Workspace,
  name: string,
): string | undefined {
  const key = `${workspace}/integrations/connections`;
  const connection = findResource(world, key, name);
  if (connection === undefined) return `Integration connection "${name}" does not exist.`;
  const { integration = '' } = connection.spec as IntegrationConnectionSpec;
  const refusal = refusalOfSecrets(world, integration, world.connectionSecrets.get(`${key}/${name}`) ?? {});
  return refusal === undefined ? undefined : `${integration} refused integration connection "${name}": ${refusal}`;
}
