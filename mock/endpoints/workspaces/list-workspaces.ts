/** The workspaces of the account that the caller may use. */
import type { Endpoint } from '../../endpoint.ts';
import * as uniform from '../uniform.ts';

const listAll = uniform.list<'listWorkspaces'>('workspaces');

export const listWorkspaces: Endpoint<'listWorkspaces'> = async (call) => {
  const { accountRole, workspaces } = call.credential.caller;
  const reply = await listAll(call);
  if (accountRole === 'account-admin' || !Array.isArray(reply.body)) return reply;
  const own = new Set(workspaces.map(({ name }) => name));
  return { ...reply, body: reply.body.filter(({ metadata }) => own.has(metadata.name)) };
};
