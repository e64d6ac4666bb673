/** Returns the account of the caller; its `id` is the path parameter of the metrics operations. */
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const listAccounts: Endpoint<'listAccounts'> = ({ world, credential }) => {
  const account = world.accounts.get(credential.caller.account);
  if (account === undefined) return ok([]);
  const { id, displayName, plan } = account;
  const workspaces = [...world.workspaces.values()].filter((workspace) => workspace.account === id);
  return ok([{ id, displayName, plan, workspaces: workspaces.map(({ name }) => name) }]);
};
