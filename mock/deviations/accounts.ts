/** Deviations of the list of accounts. */
import { onSuccess, type Fault } from './deviation.ts';
import type { Table } from './table.ts';

const ids = ['listAccounts'] as const;

interface Account {
  readonly id: string;
  readonly displayName: string;
}

const each = (edit: (account: Account) => unknown): Fault =>
  onSuccess(ids, (accounts: Account[]) => accounts.map(edit));

export const accountsDeviations: Table = {
  'accounts.list.gives-account-id': {
    'lists accounts without their ids': each(({ id: _, ...account }) => account),
    'lists the ids of accounts in upper case': each(({ id, ...account }) => ({
      ...account,
      id: id.toUpperCase(),
    })),
    'lists only the last part of account ids': each(({ id, ...account }) => ({
      ...account,
      id: id.replace(/^acc-/, ''),
    })),
    'lists no accounts': onSuccess(ids, () => []),
    'returns 404 for the list of accounts to admins': {
      kind: 'change status',
      condition: 'listAccounts',
      wrap: (app) => async (ctx) => {
        await app(ctx);
        if (ctx.path.endsWith('/accounts') && ctx.state.reply?.status === 200)
          ctx.state.reply = { status: 404, body: { error: 'not_found', code: 404, message: 'There is no such list.' } };
      },
    },
  },
};
