/** Rules of creating a VPC. */
import type { Requirement } from './requirement.ts';

export const vpcsRequirements = [
  {
    id: 'vpcs.create.answers-resource',
    level: 'must',
    rule: 'POST /vpcs with metadata and spec answers 200 with metadata, spec, status, events.',
    needs: ['write'],
    operations: ['createVpc'],
    values: { status: 200 },
  },
  {
    id: 'vpcs.create.envelope-required',
    level: 'must',
    rule: 'POST /vpcs without metadata is rejected; without spec too.',
    needs: ['write'],
    operations: ['createVpc'],
  },
] as const satisfies readonly Requirement[];
