/** Rules of listing accounts. */
import type { Requirement } from './requirement.ts';

export const accountsRequirements = [
  {
    id: 'accounts.list.gives-account-id',
    level: 'must',
    rule: 'GET /accounts succeeds, and an account identifier that the metrics operations accept can be read from it.',
    needs: ['admin'],
    operations: ['listAccounts', 'getAccountMetrics'],
  },
] as const satisfies readonly Requirement[];
