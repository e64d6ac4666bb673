/** What the document leaves open in the management operations, observed. */
import type { Requirement } from './requirement.ts';

export const managementRequirements = [
  {
    id: 'management.undocumented.answer-shapes',
    level: 'observe',
    rule: "Shapes of GET /accounts, connection and function answers; whether a connection's answer, or its read, repeats its secrets.",
    needs: [],
    operations: ['listAccounts', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'management.undocumented.statuses',
    level: 'observe',
    rule: 'Statuses for an unknown integration, sandbox, preview, token, template, version; for a function naming an unknown connection, or two; for a connection naming an unknown integration.',
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
