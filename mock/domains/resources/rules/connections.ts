/** Integration connections need a known integration and all its secrets; functions can only use existing ones. */
import type { FunctionSpec, IntegrationConnectionSpec } from '../../../../spec/generated/types.ts';
import { invalidField, Problem } from '../../../http/problems.ts';
import { findResource } from '../../../state/resources.ts';
import { refusalOfSecrets } from '../connection-secrets.ts';
import type { Rule, Write } from './rule.ts';
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

/** Only in a world with `verifyOnCreate`. */
export const verifyConnection: Rule = (write) => {
  const { world, spec } = write;
  const { integration = '' } = spec as IntegrationConnectionSpec;
  if (!world.verifyOnCreate) return;
  const refusal = refusalOfSecrets(world, integration, secretsOf(write));
  if (refusal === undefined) return;
  throw new Problem(400, 'invalid_request', `${integration} refuses the secrets in spec.secret: ${refusal}`);
};

/** The secrets as sent; a mask that the client sends back leaves a secret as it was. */
function secretsOf({ world, workspace, collection, name, spec }: Write): Record<string, string> {
  const stored = world.connectionSecrets.get(`${workspace.name}/${collection}/${name}`) ?? {};
  const { secret = {} } = spec as IntegrationConnectionSpec;
  return Object.fromEntries(
    Object.entries(secret).map(([key, value]) => [key, value === MASK ? (stored[key] ?? '') : value]),
  );
}

/** Stores the secrets apart from the resource, so that no response has them. */
export const maskConnectionSecret: Rule = (write) => {
  const { world, workspace, collection, name, spec } = write;
  const { secret } = spec as IntegrationConnectionSpec;
  world.connectionSecrets.set(`${workspace.name}/${collection}/${name}`, secretsOf(write));
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
