/** Rules of integration providers and of connections to them. */
import type { Requirement } from './requirement.ts';
import { mailSecretKeys } from '../values.ts';

export const integrationsRequirements = [
  {
    id: 'integrations.get.provider-shape',
    level: 'must',
    rule: 'GET /integrations/{integrationName} answers 200 with provider info of the documented shape (organizations and repositories with their element fields).',
    needs: ['integration'],
    operations: ['getIntegration'],
    values: { status: 200 },
  },
  {
    id: 'integrations.connections.create-succeeds',
    level: 'must',
    rule: 'POST /integrations/connections with name, integration and secret succeeds (2xx), for the OAuth-based mail integration, whose secret keys are documented.',
    needs: ['mail-integration', 'write'],
    operations: ['createIntegrationConnection'],
    values: { secretKeys: mailSecretKeys },
  },
  {
    id: 'integrations.connections.secret-rules',
    level: 'must',
    rule: 'For the OAuth-based mail integration, leaving out any of CLIENT_ID, CLIENT_SECRET, REFRESH_TOKEN is rejected; a non-string secret value (null is not tried) is rejected for every integration.',
    needs: ['mail-integration', 'write'],
    operations: ['createIntegrationConnection'],
    values: { secretKeys: mailSecretKeys },
  },
] as const satisfies readonly Requirement[];
