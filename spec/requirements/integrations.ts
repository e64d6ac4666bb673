/** Rules for integration providers and connections to them. */
import type { Requirement } from './requirement.ts';
import { mailSecretKeys } from '../values.ts';

export const integrationsRequirements = [
  {
    id: 'integrations.get.provider-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'GET /integrations/{integrationName} returns 200 with provider info of the documented shape, including the elements of organizations and repositories.',
    sources: [
      {
        heading: 'Integration provider info',
        words: 'array of {avatar_url string, displayName string, id string, name string}',
        about: ['organizations'],
      },
      {
        heading: 'Integration provider info',
        words: 'array of {id string, isBl boolean, name string, organization string, url string}',
        about: ['repositories'],
      },
    ],
    needs: ['integration'],
    operations: ['getIntegration'],
  },
  {
    id: 'integrations.get.entries-identified',
    level: 'must',
    since: '0.1.0',
    rule: 'Every organization of an integration has an id, a name, a displayName or an avatar_url, and every repository an id, a name, an organization or a url.',
    sources: [
      {
        heading: 'Integration provider info',
        words: 'array of {avatar_url string, displayName string, id string, name string}',
        about: ['organizations'],
      },
      {
        heading: 'Integration provider info',
        words: 'array of {id string, isBl boolean, name string, organization string, url string}',
        about: ['repositories'],
      },
    ],
    needs: ['integration'],
    operations: ['getIntegration'],
  },
  {
    id: 'integrations.connections.create-succeeds',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /integrations/connections with a name, integration and secret returns 2xx for the OAuth-based mail integration, whose secret keys are documented.',
    sources: [
      {
        heading: 'Integration connection',
        words:
          'Created with `metadata` (name, displayName), and `spec` with `integration` (string, name of the integration) and `secret`',
      },
    ],
    needs: ['mail-integration', 'write'],
    operations: ['createIntegrationConnection'],
    values: { secretKeys: mailSecretKeys },
  },
  {
    id: 'integrations.connections.secret-rules',
    level: 'must',
    since: '0.1.0',
    rule: 'A connection to the OAuth-based mail integration is rejected if CLIENT_ID, CLIENT_SECRET or REFRESH_TOKEN is missing, and a connection to any integration is rejected if a secret value is not a string (null is not tried).',
    sources: [
      {
        heading: 'Integration connection',
        words: 'the keys are `CLIENT_ID`, `CLIENT_SECRET`, `REFRESH_TOKEN`, all required',
      },
    ],
    needs: ['mail-integration', 'write'],
    operations: ['createIntegrationConnection'],
    values: { secretKeys: mailSecretKeys },
  },
] as const satisfies readonly Requirement[];
