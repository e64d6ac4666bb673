/** Rules for listing accounts. */
import type { Requirement } from './requirement.ts';

export const accountsRequirements = [
  {
    id: 'accounts.list.gives-account-id',
    level: 'must',
    since: '0.1.0',
    rule: 'GET /accounts succeeds, and its response contains an account id that the metrics operations accept.',
    sources: [{ heading: 'Management API', words: 'Lists accounts; the account identifier is read from it.' }],
    needs: ['admin'],
    operations: ['listAccounts', 'getAccountMetrics'],
  },
] as const satisfies readonly Requirement[];
