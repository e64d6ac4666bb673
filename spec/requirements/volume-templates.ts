/** Rules of deleting versions of a volume template. */
import type { Requirement } from './requirement.ts';

export const volumeTemplatesRequirements = [
  {
    id: 'volume-templates.versions.deleted',
    level: 'must',
    rule: 'DELETE of a volume template version answers 200 with message and template; the version is not among template.versions, and no other is missing there.',
    needs: ['template-version', 'write'],
    operations: ['deleteVolumeTemplateVersion'],
    values: { status: 200 },
  },
  {
    id: 'volume-templates.versions.count-agrees',
    level: 'must',
    rule: 'In that answer state.versionCount equals the number of versions left, where they are shown (with no versions field the count may be left out too), and every version names its template.',
    needs: ['template-version', 'write'],
    operations: ['deleteVolumeTemplateVersion'],
  },
] as const satisfies readonly Requirement[];
