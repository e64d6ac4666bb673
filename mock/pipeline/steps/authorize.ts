/** Checks that the credential's scopes allow the operation, and determines the workspace of the call. */
import type { Scope } from '../../../spec/operations.ts';
import { requireState, type Context, type Step } from '../context.ts';
import { forbidden, insufficientScope, missingCredential, notFound } from '../../http/problems.ts';
import { mayUse, type Credential, type Workspace } from '../../state/accounts.ts';

export const authorize: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  const { credential } = ctx.state;
  if (credential !== undefined) {
    if (operation.scoped && ctx.state.scopesWaived !== true) requireScope(credential, operation.scopes);
    ctx.state.workspace = workspaceOf(ctx, credential);
  } else if (operation.credentialOptional) {
    ctx.state.workspace = workspaceOfPath(ctx);
  }
  return next();
};

/** For a call without a credential. An unknown workspace gets the same response as one that is not public. */
function workspaceOfPath({ state: { world, route } }: Context): Workspace {
  const workspace = world.workspaces.get(route?.params['workspace'] ?? '');
  if (workspace === undefined) throw missingCredential(world.headers.authorization);
  return workspace;
}

function requireScope({ scopes }: Credential, ofOperation: readonly Scope[]): void {
  if (scopes.includes('admin') || ofOperation.some((scope) => scopes.includes(scope))) return;
  throw insufficientScope(['admin', ...ofOperation]);
}

function workspaceOf(ctx: Context, credential: Credential): Workspace {
  const { workspaces, headers } = ctx.state.world;
  // Data-plane paths contain the workspace; the header is for the management API.
  const name = ctx.state.route?.params['workspace'] ?? (ctx.get(headers.workspace) || credential.workspace);
  const workspace = workspaces.get(name);
  if (workspace === undefined) throw notFound('Workspace', name);
  if (!mayUse(credential.caller, workspace)) throw forbidden(`The caller has no role in workspace "${name}".`);
  return workspace;
}
