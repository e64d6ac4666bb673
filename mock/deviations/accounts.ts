/** Deviations of the list of accounts. */
import { deviationsOf } from './table.ts';
import { onSuccess } from './deviation.ts';
import type { Deviation, Deviations } from './deviation.ts';

const ids = ['listAccounts'] as const;

interface Account {
  readonly id: string;
  readonly displayName: string;
}

const each = (what: string, edit: (account: Account) => unknown): Deviation =>
  onSuccess(what, ids, (accounts: Account[]) => accounts.map(edit));

export const accountsDeviations: Deviations = deviationsOf({
  'accounts.list.gives-account-id': {
    '': each('Lists accounts without their ids', ({ id: _, ...account }) => account),
    'upper-case': each('Lists the ids of accounts in upper case', ({ id, ...account }) => ({
      ...account,
      id: id.toUpperCase(),
    })),
    cut: each('Lists only the last part of account ids', ({ id, ...account }) => ({
      ...account,
      id: id.replace(/^acc-/, ''),
    })),
    empty: onSuccess('Lists no accounts', ids, () => []),
    status: {
      what: 'Returns 404 for the list of accounts to admins',
      effect: 'change status',
      condition: 'listAccounts',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (ctx.path.endsWith('/accounts') && ctx.state.reply?.status === 200)
          ctx.state.reply = { status: 404, body: { error: 'not_found', code: 404, message: 'There is no such list.' } };
      },
    },
  },
});
