/** Rules for deleting versions of volume templates. */
import type { Requirement } from './requirement.ts';

export const volumeTemplatesRequirements = [
  {
    id: 'volume-templates.versions.deleted',
    level: 'must',
    since: '0.1.0',
    rule: 'DELETE of a volume template version returns 200 with message and template; template.versions, or those that a read returns a while later, no longer contain that version and still contain all others.',
    sources: [{ heading: 'Management API', words: '200, `{message: string, template: Volume template}`.' }],
    needs: ['template-version', 'write'],
    operations: ['deleteVolumeTemplateVersion'],
  },
  {
    id: 'volume-templates.versions.count-agrees',
    level: 'must',
    since: '0.1.0',
    rule: 'In the response to deleting a version, state.versionCount equals the number of remaining versions if they are listed (if versions is absent, the count may be absent too), and every version names its template.',
    sources: [{ heading: 'Volume template', words: 'state.versionCount' }],
    needs: ['template-version', 'write'],
    operations: ['deleteVolumeTemplateVersion'],
  },
] as const satisfies readonly Requirement[];
