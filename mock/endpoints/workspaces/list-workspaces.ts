/** Lists the workspaces of the account that the caller may use. */
import type { Endpoint } from '../endpoint.ts';
import { mayUseNamed } from '../../state/world-state.ts';
import * as uniform from '../uniform.ts';

const listAll = uniform.list<'listWorkspaces'>('workspaces');

export const listWorkspaces: Endpoint<'listWorkspaces'> = async (call) => {
  const { world, credential } = call;
  const reply = await listAll(call);
  if (!Array.isArray(reply.body)) return reply;
  const isOpen = (name: string) => mayUseNamed(world, credential.caller, name);
  return { ...reply, body: reply.body.filter(({ metadata }) => isOpen(metadata.name)) };
};
