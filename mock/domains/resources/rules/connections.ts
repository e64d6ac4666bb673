/** Integration connections need a known integration and all its secrets; functions can only use existing ones. */
import type { FunctionSpec, IntegrationConnectionSpec } from '../../../../spec/generated/types.ts';
import { invalidField } from '../../../http/problems.ts';
import { findResource } from '../../../state/resources.ts';
import type { Rule } from './rule.ts';
import { MASK } from './secrets.ts';

export const checkConnection: Rule = ({ world, spec }) => {
  const { integration, secret } = spec as IntegrationConnectionSpec;
  const known = integration === undefined ? undefined : world.integrations.get(integration);
  if (known === undefined)
    throw invalidField('spec.integration', integration, [...world.integrations.keys()].join(', '));
  const missing = known.secretKeys.find((key) => !isGiven(secret, key));
  if (missing !== undefined) {
    throw invalidField(
      `spec.secret.${missing}`,
      secret?.[missing],
      `a string; ${integration} needs ${known.secretKeys.join(', ')}`,
    );
  }
};

function isGiven(secret: Record<string, string> | undefined, key: string): boolean {
  return secret !== undefined && Object.hasOwn(secret, key) && secret[key] !== '';
}

export const maskConnectionSecret: Rule = ({ spec }) => {
  const { secret } = spec as IntegrationConnectionSpec;
  if (secret === undefined) return;
  spec['secret'] = Object.fromEntries(Object.keys(secret).map((key) => [key, MASK]));
};

export const checkIntegrationConnections: Rule = ({ world, workspace, spec }) => {
  const { integrationConnections = [] } = spec as FunctionSpec;
  for (const [index, name] of integrationConnections.entries()) {
    if (findResource(world, `${workspace.name}/integrations/connections`, name) === undefined) {
      throw invalidField(
        `spec.integrationConnections[${index}]`,
        name,
        `an integration connection of workspace ${workspace.name}`,
      );
    }
  }
};
