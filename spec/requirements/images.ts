/** Rules for deleting unused images. */
import type { Requirement } from './requirement.ts';

export const imagesRequirements = [
  {
    id: 'images.cleanup.answer-shape',
    level: 'must',
    since: '0.1.0',
    rule: 'DELETE /images returns 200 with deleted (a non-negative integer) and message.',
    sources: [{ heading: 'Image cleanup result', words: '`deleted` (integer, count removed), `message` (string).' }],
    needs: ['destroy'],
    operations: ['deleteUnusedImages'],
  },
  {
    id: 'images.cleanup.keeps-images-in-use',
    level: 'must',
    since: '0.1.0',
    rule: 'DELETE /images never removes an image used by an active agent, function, sandbox or job: the workload still serves.',
    sources: [
      {
        heading: 'Management API',
        words:
          'Removes only images not referenced by any active agent, function, sandbox or job deployment in the workspace registry.',
      },
    ],
    needs: ['destroy', 'agent'],
    operations: ['deleteUnusedImages', 'queryAgent'],
  },
  {
    id: 'images.cleanup.second-deletes-none',
    level: 'must',
    since: '0.1.0',
    rule: 'DELETE /images deletes 0 images in the end if it is repeated immediately (up to 50 times, because it may delete a few at a time, and others may release images in between).',
    sources: [
      {
        heading: 'Management API',
        words:
          'Removes only images not referenced by any active agent, function, sandbox or job deployment in the workspace registry.',
      },
    ],
    needs: ['destroy'],
    operations: ['deleteUnusedImages'],
    values: { deleted: 0, attempts: 50 },
  },
] as const satisfies readonly Requirement[];
