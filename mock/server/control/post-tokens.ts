/** POST /_mock/tokens: mints a credential for a new caller, with all rights that the body does not restrict. */
import { z } from 'zod';
import { lifetimeSeconds as lifetime } from '../../../spec/formats/parts.ts';
import { scopes } from '../../../spec/values.ts';
import type { Reply } from '../../http/reply.ts';
import { requireWithin } from '../../http/limits.ts';
import { mintToken, requireRoomForToken } from '../../domains/oauth/tokens.ts';
import { invalidField } from '../../http/problems.ts';
import type { Caller, Workspace } from '../../state/accounts.ts';
import type { DeepReadonly } from '../../../spec/formats/readonly-json.ts';
import { timestamp } from '../../time/clock.ts';
import type { World } from '../../world/world.ts';
import { bodyFormat } from './body-format.ts';
import type { ControlCall } from './control-call.ts';

const HOUR_SECONDS = 3600;

const tokenRequest = z.strictObject({
  kind: z.enum(['jwt', 'api-key']).exactOptional(),
  scopes: z.array(z.enum(scopes)).exactOptional(),
  account: z.string().exactOptional(),
  accountRole: z.enum(['account-admin', 'account-member']).exactOptional(),
  workspace: z.string().exactOptional(),
  workspaceRole: z.enum(['workspace-admin', 'workspace-member']).exactOptional(),
  lifetimeSeconds: lifetime.describe('0: already expired.').exactOptional(),
});

export type TokenRequest = DeepReadonly<z.infer<typeof tokenRequest>>;

/** @internal */
export const postTokens: ControlCall<TokenRequest> = {
  body: { ...bodyFormat(tokenRequest), optional: true },
  handle: ({ served: { world }, body }) => mint(world, body),
};

function mint(world: World, request: TokenRequest): Reply {
  const { kind = 'jwt', scopes: own = ['admin'], lifetimeSeconds = HOUR_SECONDS } = request;
  const workspace = workspaceFor(world, request);
  requireRoomForToken(world);
  requireWithin(world.limits, 'tokens', world.callers.size + 1);
  const caller = addCaller(world, workspace, request);
  const grant = { caller: caller.id, scopes: own, workspace: workspace.name, lifetimeSeconds, ...issuedTo(world) };
  const token = kind === 'jwt' ? mintToken(world, grant) : `svc-key-${world.random.hex(32)}`;
  const expiresAt = world.credentials.get(token)?.expiresAt ?? world.clock.now() + lifetimeSeconds * 1000;
  if (kind === 'api-key')
    world.credentials.set(token, { kind, caller, scopes: own, workspace: workspace.name, expiresAt });
  const { id, account, accountRole, workspaces } = caller;
  const callerView = { id, account, accountRole, workspaces };
  return { status: 201, body: { token, kind, caller: callerView, scopes: own, expiresAt: timestamp(expiresAt) } };
}

/** The target's client, if there is one, so that it can revoke the token. */
function issuedTo({ target: { client } }: World): { client?: string } {
  return client === undefined ? {} : { client };
}

/** The requested workspace, or the target's if it belongs to the account, or the account's first. */
function workspaceFor({ accounts, workspaces, target }: World, request: TokenRequest): Workspace {
  const { account = workspaces.get(request.workspace ?? '')?.account ?? target.account } = request;
  if (!accounts.has(account)) throw invalidField('account', account, [...accounts.keys()].join(', '));
  const ofAccount = [...workspaces.values()].filter((workspace) => workspace.account === account);
  const name = request.workspace ?? target.workspace;
  const found =
    ofAccount.find((workspace) => workspace.name === name) ??
    (request.workspace === undefined ? ofAccount[0] : undefined);
  if (found !== undefined) return found;
  const allowed = ofAccount.map((workspace) => workspace.name).join(', ') || 'none, since the account has none';
  throw invalidField('workspace', request.workspace, `a workspace of ${account}: ${allowed}`);
}

function addCaller(world: World, { name, account }: Workspace, request: TokenRequest): Caller {
  const { accountRole = 'account-admin', workspaceRole: role = 'workspace-admin' } = request;
  const id = `minted-${world.random.hex(12)}`;
  const caller: Caller = { id, kind: 'service-account', account, accountRole, workspaces: [{ name, role }] };
  world.callers.set(id, caller);
  return caller;
}
