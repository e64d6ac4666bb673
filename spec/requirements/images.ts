/** Rules of removing unused images. */
import type { Requirement } from './requirement.ts';

export const imagesRequirements = [
  {
    id: 'images.cleanup.answer-shape',
    level: 'must',
    rule: 'DELETE /images answers 200 with deleted (integer, not negative) and message.',
    needs: ['destroy'],
    operations: ['deleteUnusedImages'],
    values: { status: 200 },
  },
  {
    id: 'images.cleanup.keeps-images-in-use',
    level: 'must',
    rule: 'DELETE /images never removes an image that an active agent, function, sandbox or job uses: the workload serves as before.',
    needs: ['destroy', 'agent'],
    operations: ['deleteUnusedImages', 'queryAgent'],
  },
  {
    id: 'images.cleanup.second-deletes-none',
    level: 'must',
    rule: 'DELETE /images again at once deletes 0 (tried up to three times, since others may release images meanwhile).',
    needs: ['destroy'],
    operations: ['deleteUnusedImages'],
    values: { deleted: 0, attempts: 3 },
  },
] as const satisfies readonly Requirement[];
