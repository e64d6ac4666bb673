/** auth.scopes.what-each-operation-accepts and auth.workspace-header.*: credentials with one scope; the workspace of what is created. */
import { operation, operations, type Operation, type OperationId } from '../../../spec/operations.ts';
import { requirement } from '../../../spec/requirements/index.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { Problem, problemReply } from '../../http/problems.ts';
import type { Credential } from '../../state/accounts.ts';
import { placeOf, requireParents } from '../../domains/resources/kinds.ts';
import { findResource } from '../../state/resources.ts';
import type { World } from '../../world/world.ts';
import { isTo, refuse, respond, withHeaders } from '../effects.ts';
import { cannot, layered, type Follow, type Layer, type Row, type RowsOf } from '../row.ts';

const LACKS_SCOPE = { kind: 'forbidden', message: 'The credential lacks a scope.' };

interface Access {
  readonly operation: string;
  /** `unrelated`: a credential whose scopes allow nothing here. */
  readonly scope: string;
  readonly refused: 401 | 403 | null;
}

export const scopeRow: Row<Access> = {
  own: (_, value) => ({ ...value, refused: ownRefusal(value) }),
  follow: (value) => {
    const found = documented(value.operation);
    const ruledOut = found === undefined ? UNDOCUMENTED : whyRuledOut(found, value);
    if (found === undefined || ruledOut !== undefined) return cannot(ruledOut ?? UNDOCUMENTED);
    if (value.refused === null) return accept(found.id, value.scope);
    return refuseScope(found.id, value.scope, value.refused, ownRefusal(value) === null);
  },
};

const UNDOCUMENTED = 'it is not a documented operation of the management API';

const documented = (id: string): Operation | undefined =>
  operations.find((each) => each.id === id && each.surface === 'management' && each.documented);

const ownRefusal = ({ operation: id, scope }: Access): 403 | null =>
  documented(id)?.scopes.some((each) => each === scope) === true ? null : 403;

const adminOnly: readonly OperationId[] = requirement('auth.scopes.admin-is-the-default').operations;

/** The rule that a deployment with this behaviour violates. */
function whyRuledOut({ id, path, method }: Operation, { scope, refused }: Access): string | undefined {
  const resource = path.split('/', 2)[1]?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (scope === 'admin') return 'scope admin is accepted everywhere';
  if (id === 'updateAgent' && (scope === 'agents:update' || refused === 401))
    return 'the scopes that may update an agent are documented (auth.scopes.update-agent-*)';
  if (refused === null && id === 'deleteUnusedImages') return 'nothing else would refuse the request';
  return refused === null && method === 'GET' && adminOnly.includes(id) && scope.split(':', 1)[0] !== resource
    ? 'a credential without a scope of the resource is refused (auth.scopes.admin-is-the-default)'
    : undefined;
}

function refuseScope(id: OperationId, scope: string, status: number, isAccepted: boolean): Follow {
  if (isAccepted) return layered(refuseFirst(id, scope, status));
  return layered(respond((ctx, reply) => isTo(id)(ctx) && lacksScope(reply) && has(ctx, scope), { status }));
}

/** Before anything else in the request is refused. */
function refuseFirst(id: OperationId, scope: string, status: number): Layer {
  const problem = new Problem(status, LACKS_SCOPE.kind, LACKS_SCOPE.message);
  const matches = (ctx: Context) => isTo(id)(ctx) && has(ctx, scope);
  return (app) => async (ctx) => {
    await refuse(matches, status, LACKS_SCOPE)(app)(ctx);
    if (matches(ctx) && ctx.state.reply?.status !== 401) ctx.state.reply = problemReply(problem);
  };
}

const lacksScope = ({ headers }: Reply): boolean =>
  headers?.['www-authenticate']?.includes('insufficient_scope') === true;

const tokenOf = ({ namedCredentials }: World, name: string): string =>
  namedCredentials.find((each) => each.name === name)?.token ?? '';

/** Whether the credential has that scope and no other that the operation requires. */
function has({ state: { credential, route, world } }: Context, scope: string): boolean {
  if (credential === undefined || credential.scopes.includes('admin')) return false;
  if (scope !== 'unrelated') return credential.scopes.some((each) => each === scope);
  const required: readonly string[] = route?.operation.scopes ?? [];
  const scopes = world.credentials.get(tokenOf(world, 'unrelated'))?.scopes ?? [];
  return credential.scopes.some((each) => scopes.includes(each) && !required.includes(each));
}

/**
 * Reads succeed. Of writes, the case only sends requests that are refused for another reason: it observes which reason is
 * checked first, so a credential without the scope is refused last.
 */
const accept = (id: OperationId, scope: string): Follow =>
  layered((app) => async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || !isTo(id)(ctx) || !lacksScope(reply) || !has(ctx, scope)) return;
    ctx.state.scopesWaived = true;
    await (operation(id).method === 'GET' ? app : refuse(exists, 403, LACKS_SCOPE)(app))(ctx);
  });

/** Whether what the path names exists: if not, the endpoint refuses and changes nothing. */
function exists(ctx: Context): boolean {
  const { route, workspace, world } = ctx.state;
  const nested = {
    deleteSandboxPreviewToken: 'tokens',
    deleteVolumeTemplateVersion: 'versions',
    updateAgent: 'agents',
  } as const;
  const kind = nested[route?.operation.id as keyof typeof nested];
  if (kind === undefined || workspace === undefined || route === undefined) return true;
  const place = placeOf(kind, workspace, route.params);
  try {
    requireParents(world, place);
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
  return findResource(world, place.key, route.params[place.kind.param] ?? '') !== undefined;
}

interface Creation {
  readonly status: number;
  readonly workspace?: 'of the target' | 'another' | undefined;
}

type Header = 'without the header' | 'with an unknown workspace' | 'with another workspace';

const own: Readonly<Record<Header, (id: OperationId) => Creation>> = {
  'without the header': () => ({ status: 200, workspace: 'of the target' }),
  'with an unknown workspace': () => ({ status: 404 }),
  // The connection that the function names is not in the other workspace.
  'with another workspace': (id) => (id === 'createFunction' ? { status: 400 } : { status: 200, workspace: 'another' }),
};

/** Only for API keys, which the case creates with. */
const headerRow = (id: OperationId, header: Header): Row<Creation> => ({
  own: own[header](id),
  follow: ({ status, workspace }) => {
    const matches = (ctx: Context) => isTo(id)(ctx) && headerIs(ctx, header);
    if (workspace === 'another')
      return cannot(
        header === 'with another workspace' ? 'the connection is not there' : 'it names no other workspace',
      );
    if (status < 300) {
      if (workspace === undefined || status !== 200) return cannot('the mock creates with status 200, in a workspace');
      return layered(
        withHeaders((ctx) =>
          matches(ctx)
            ? { [ctx.state.world.headers.workspace.toLowerCase()]: sentCredential(ctx)?.workspace }
            : undefined,
        ),
      );
    }
    const refused = refuse(matches, status);
    const changed = respond(
      (ctx, reply) => matches(ctx) && reply.status === 404 && header === 'with an unknown workspace',
      { status },
    );
    return layered((app) => changed(refused(app)));
  },
});

/** Called before or after authentication. */
function headerIs(ctx: Context, header: Header): boolean {
  const { world } = ctx.state;
  const name = ctx.get(world.headers.workspace);
  if (header === 'with an unknown workspace') return name !== '' && !world.workspaces.has(name);
  const credential = sentCredential(ctx);
  if (credential?.kind !== 'api-key') return false;
  if (header === 'without the header') return name === '';
  return world.workspaces.has(name) && name !== credential.workspace;
}

function sentCredential({ headers, state: { world } }: Context): Credential | undefined {
  const sent = headers.authorization ?? headers[world.headers.authorization.toLowerCase()];
  return world.credentials.get(/^bearer +(\S+)$/i.exec(String(sent))?.[1] ?? '');
}

export const workspaceHeaderRows: RowsOf<'auth.workspace-header.missing-or-other'> = Object.fromEntries(
  (['createVpc', 'createIntegrationConnection', 'createFunction'] as const).flatMap((id) =>
    (Object.keys(own) as Header[]).map((header) => [`${id} ${header}`, headerRow(id, header)]),
  ),
);
