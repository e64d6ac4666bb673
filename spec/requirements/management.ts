/** Observations of management behaviour that the interface document leaves open. */
import type { Requirement } from './requirement.ts';

export const managementRequirements = [
  {
    id: 'management.undocumented.answer-shapes',
    level: 'observe',
    since: '0.1.0',
    rule: 'Response shapes of GET /accounts and of creating connections and functions; whether creating or reading a connection returns its secrets.',
    sources: [{ heading: 'Management API', words: 'Response shape: not shown.' }],
    needs: [],
    operations: ['listAccounts', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'management.undocumented.statuses',
    level: 'observe',
    since: '0.1.0',
    rule: 'Statuses for an unknown integration, sandbox, preview, token, template or version; for a function that names one or two unknown connections; for a connection that names an unknown integration; for removing a connection that a function names.',
    sources: [
      {
        heading: 'Errors',
        words: 'Statuses and error bodies of the other management operations (rows 2 to 9): not shown.',
      },
    ],
    needs: [],
    operations: [
      'getIntegration',
      'createIntegrationConnection',
      'createFunction',
      'deleteSandboxPreviewToken',
      'deleteVolumeTemplateVersion',
    ],
  },
] as const satisfies readonly Requirement[];
