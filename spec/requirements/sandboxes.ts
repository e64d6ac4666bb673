/** Rules of what the management API keeps of a sandbox: its preview tokens. */
import type { Requirement } from './requirement.ts';

export const sandboxesRequirements = [
  {
    id: 'sandboxes.preview-tokens.deleted-once',
    level: 'must',
    rule: 'DELETE of a preview token answers 200 with a message, and the token is gone: a second delete is not answered 200.',
    needs: ['preview-token', 'write'],
    operations: ['deleteSandboxPreviewToken'],
    values: { status: 200 },
  },
] as const satisfies readonly Requirement[];
