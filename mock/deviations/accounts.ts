/** Faults in the list of accounts. */
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
    '': each('lists accounts without their identifiers', ({ id: _, ...account }) => account),
    'upper-case': each('lists the identifiers of accounts in upper case', ({ id, ...account }) => ({
      ...account,
      id: id.toUpperCase(),
    })),
    cut: each('lists the last part of the identifiers of accounts', ({ id, ...account }) => ({
      ...account,
      id: id.replace(/^acc-/, ''),
    })),
    empty: onSuccess('lists no account', ids, () => []),
    status: {
      what: 'answers 404 to whoever lists accounts as admin',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (ctx.path.endsWith('/accounts') && ctx.state.reply?.status === 200)
          ctx.state.reply = { status: 404, body: { error: 'not_found', code: 404, message: 'There is no such list.' } };
      },
    },
  },
});
