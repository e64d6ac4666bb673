/** Rules for the preview tokens of sandboxes in the management API. */
import type { Requirement } from './requirement.ts';

export const sandboxesRequirements = [
  {
    id: 'sandboxes.preview-tokens.deleted-once',
    level: 'must',
    since: '0.1.0',
    rule: 'DELETE of a preview token returns 200 with a message and removes the token: a second delete does not return 200.',
    sources: [
      { heading: 'Management API', words: '200, `{message: string}`. Deletes that preview token.' },
      { heading: 'Sandbox preview token', words: 'Addressed by sandbox name, preview name and token name.' },
    ],
    needs: ['preview-token', 'write'],
    operations: ['deleteSandboxPreviewToken'],
  },
] as const satisfies readonly Requirement[];
