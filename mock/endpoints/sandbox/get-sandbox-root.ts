/** The root of a sandbox's API: returns the name of the sandbox. */
import { sandboxOf } from '../../domains/sandbox/find-sandbox.ts';
import { type Endpoint } from '../endpoint.ts';
import { ok } from '../../http/reply.ts';

export const getSandboxRoot: Endpoint<'getSandboxRoot'> = (call) => {
  sandboxOf(call);
  const { sandboxName } = call.path as unknown as { readonly sandboxName: string };
  return ok({ name: sandboxName, workspace: call.workspace.name });
};
