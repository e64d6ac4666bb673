/** Rules for creating VPCs. */
import type { Requirement } from './requirement.ts';

export const vpcsRequirements = [
  {
    id: 'vpcs.create.answers-resource',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /vpcs with metadata and spec returns 200 with metadata, spec, status and events.',
    sources: [{ heading: 'Management API', words: '200, VPC with `metadata`, `spec`, `events`, `status`.' }],
    needs: ['write'],
    operations: ['createVpc'],
  },
  {
    id: 'vpcs.create.envelope-required',
    level: 'must',
    since: '0.1.0',
    rule: 'POST /vpcs is rejected if metadata or spec is missing.',
    sources: [
      {
        heading: 'Common envelope',
        words: 'Agent, VPC and similar resources have: `metadata` (required), `spec` (required)',
      },
    ],
    needs: ['write'],
    operations: ['createVpc'],
  },
] as const satisfies readonly Requirement[];
