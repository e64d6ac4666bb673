/** auth.scopes.*: what an operation makes of a credential with one scope alone; auth.workspace-header.*: the workspace of what is created. */
import { operation, operations, type Operation, type OperationId } from '../../../spec/operations.ts';
import { requirement } from '../../../spec/requirements/index.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { Problem, problemReply } from '../../http/problems.ts';
import type { Credential } from '../../state/accounts.ts';
import { placeOf, requireParents } from '../../domains/resources/kinds.ts';
import type { World } from '../../world/world.ts';
import { findResource } from '../../state/resources.ts';
import { answersAs, asksWithHeaders, isTo, refusesWhen } from '../layers.ts';
import { cannot, layered, ofForm, type Follow, type Layer, type Point } from '../point.ts';

const SCOPES = /^(?<id>\w+) with (?<scope>[\w:]+) alone$/;
const documented = operations.filter(({ surface, documented: isShown }) => surface === 'management' && isShown);

/** For each operation and scope that a target was asked with; `unrelated` is a credential that may do nothing with it. */
export function scopePoint(what: string): Point | undefined {
  const { id, scope } = SCOPES.exec(what)?.groups ?? {};
  const asked = documented.find((each) => each.id === id);
  if (asked === undefined || scope === undefined) return undefined;
  const own = asked.scopes.some((each) => each === scope) ? 'let through' : 'refused 403';
  return ofForm(
    own,
    '"let through", or a refusal as "refused 403"',
    /^(let through|refused (?<status>401|403))$/,
    ({ status }) => {
      const ruled = ruledOut(asked, scope, status);
      if (ruled !== undefined) return cannot(ruled);
      return status === undefined ? letThrough(asked.id, scope) : refusedWith(asked.id, scope, Number(status), own);
    },
  );
}

const adminAlone: readonly OperationId[] = requirement('auth.scopes.admin-is-the-default').operations;

/** The rule of the interface that a deployment which does so does not keep. A write may be refused for what is wrong with it first. */
function ruledOut({ id, path, method }: Operation, scope: string, status: string | undefined): string | undefined {
  const resource = path.split('/', 2)[1]?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (scope === 'admin') return 'scope admin is let in everywhere';
  if (id === 'updateAgent' && (scope === 'agents:update' || status === '401'))
    return 'who may update an agent is documented (auth.scopes.update-agent-*)';
  if (status === undefined && id === 'deleteUnusedImages') return 'there is nothing else to refuse it for';
  return status === undefined && method === 'GET' && adminAlone.includes(id) && scope.split(':', 1)[0] !== resource
    ? 'whoever has no scope of the resource is refused (auth.scopes.admin-is-the-default)'
    : undefined;
}

function refusedWith(id: OperationId, scope: string, status: number, own: string): Follow {
  if (own === 'let through') return layered(refusesScope(id, scope, status));
  return layered(answersAs((ctx, reply) => isTo(id)(ctx) && lacksScope(reply) && has(ctx, scope), { status }));
}

/** Before whatever else is wrong with the request. */
function refusesScope(id: OperationId, scope: string, status: number): Layer {
  const problem = new Problem(status, 'forbidden', 'The credential lacks a scope.');
  const concerns = (ctx: Context) => isTo(id)(ctx) && has(ctx, scope);
  return (app) => async (ctx) => {
    await refusesWhen(concerns, status, problem)(app)(ctx);
    if (concerns(ctx) && ctx.state.reply?.status !== 401) ctx.state.reply = problemReply(problem);
  };
}

const lacksScope = ({ headers }: Reply): boolean =>
  headers?.['www-authenticate']?.includes('insufficient_scope') === true;

const tokenOf = ({ namedCredentials }: World, called: string): string =>
  namedCredentials.find(({ name }) => name === called)?.token ?? '';

/** A credential with that scope and no other that the operation asks for. */
function has({ state: { credential, route, world } }: Context, scope: string): boolean {
  if (credential === undefined || credential.scopes.includes('admin')) return false;
  if (scope !== 'unrelated') return credential.scopes.some((each) => each === scope);
  const taken: readonly string[] = route?.operation.scopes ?? [];
  const scopes = world.credentials.get(tokenOf(world, 'unrelated'))?.scopes ?? [];
  return credential.scopes.some((each) => scopes.includes(each) && !taken.includes(each));
}

/**
 * What reads is answered. Of what writes the case sends requests that are refused for another reason, too: all that
 * is seen then is which reason is judged first, so whoever lacks the scope is refused last.
 */
function letThrough(id: OperationId, scope: string): Follow {
  const layer: Layer = (app) => async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || !isTo(id)(ctx) || !lacksScope(reply) || !has(ctx, scope)) return;
    ctx.state.scopesWaived = true;
    if (operation(id).method === 'GET') return app(ctx);
    const kept = refusesWhen((asked) => isThere(asked), 403, {
      kind: 'forbidden',
      message: 'The credential lacks a scope.',
    });
    await kept(app)(ctx);
  };
  return layered(layer);
}

/** Whether what the path names exists: where it does not, the endpoint says so and changes nothing. */
function isThere(ctx: Context): boolean {
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

const HEADER =
  /^(?<id>createVpc|createIntegrationConnection|createFunction) (?<how>without the header|with an unknown workspace|with another workspace)$/;
const SAW = /^(?:200(?<where>, in the workspace of the target|, in another workspace)?|(?<status>[345]\d\d))$/;

/** For an API key, which is what the case creates with. */
export function workspaceHeaderPoint(what: string): Point | undefined {
  const { id, how } = HEADER.exec(what)?.groups ?? {};
  if (id === undefined || how === undefined) return undefined;
  const concerns = (ctx: Context) => isTo(id as OperationId)(ctx) && headerIs(ctx, how);
  const allowed = 'a status, and of a success where it was created, as "200, in the workspace of the target"';
  return ofForm(ownWith(id, how), allowed, SAW, ({ status, where }) => followed(concerns, status, how, where));
}

function ownWith(id: string, how: string): string {
  if (how === 'without the header') return '200, in the workspace of the target';
  if (how === 'with an unknown workspace') return '404';
  // The connection that the function names is none of the other workspace.
  return id === 'createFunction' ? '400' : '200, in another workspace';
}

function followed(
  concerns: (ctx: Context) => boolean,
  status: string | undefined,
  how: string,
  where: string | undefined,
): Follow {
  if (status === undefined && where === undefined) return cannot('where it was created is not told');
  if (where === ', in another workspace')
    return cannot(
      how === 'with another workspace' ? 'what the function binds to is not there' : 'no other workspace was named',
    );
  const created = asksWithHeaders((ctx) =>
    concerns(ctx) ? { [ctx.state.world.headers.workspace.toLowerCase()]: sentCredential(ctx)?.workspace } : undefined,
  );
  if (status === undefined) return layered(created);
  const refused = refusesWhen(concerns, Number(status));
  const recast = answersAs(
    (ctx, reply) => concerns(ctx) && reply.status === 404 && how === 'with an unknown workspace',
    { status: Number(status) },
  );
  return layered((app) => recast(refused(app)));
}

/** For an API key; asked before or after it has been judged. */
function headerIs(ctx: Context, how: string): boolean {
  const { world } = ctx.state;
  const name = ctx.get(world.headers.workspace);
  if (how === 'with an unknown workspace') return name !== '' && !world.workspaces.has(name);
  const credential = sentCredential(ctx);
  if (credential?.kind !== 'api-key') return false;
  if (how === 'without the header') return name === '';
  return world.workspaces.has(name) && name !== credential.workspace;
}

function sentCredential({ headers, state: { world } }: Context): Credential | undefined {
  const sent = headers.authorization ?? headers[world.headers.authorization.toLowerCase()];
  return world.credentials.get(/^bearer +(\S+)$/i.exec(String(sent))?.[1] ?? '');
}
