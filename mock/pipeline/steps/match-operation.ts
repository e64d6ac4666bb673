/**
 * Finds the operation of the request. If there is an upstream, it gets requests to unknown paths, or if it is preferred, every
 * request, of which the mock answers those that the upstream has no operation for.
 */
import { Readable } from 'node:stream';
import { isMissingStatus } from '../../../spec/missing-operation.ts';
import type { Operation, OperationId } from '../../../spec/operations.ts';
import type { Reply } from '../../http/reply.ts';
import type { ServedWorld } from '../served-world.ts';
import { forward } from '../forward.ts';
import type { Context, Step } from '../context.ts';
import { nearestPaths } from '../nearest-paths.ts';
import { methodNotAllowed, Problem, unknownPath } from '../../http/problems.ts';
import { methodsAt, routeOf, type Route } from '../routes.ts';
import { isOfMissingRoute, learnNames, withOwnAccount, withWholeBody } from '../upstream-names.ts';

export const matchOperation: Step = (ctx, next) => {
  const route = routeOf(ctx);
  if (route === undefined) return forwardOrRefuse(ctx);
  ctx.state.route = route;
  const { prefersUpstream = false } = ctx.state.served.config;
  return prefersUpstream && ctx.state.isFromConsole !== true ? preferUpstream(ctx, route, next) : next();
};

/** Operations to which the upstream of a world has responded: a 404 of one of them is about a name. */
const operationsOfUpstream = new WeakMap<ServedWorld, Set<OperationId>>();

async function preferUpstream(ctx: Context, route: Route, next: () => Promise<void>): Promise<void> {
  const { served } = ctx.state;
  const { operation } = route;
  const known = operationsOfUpstream.get(served) ?? new Set();
  operationsOfUpstream.set(served, known);
  const forwarded = await forward(ctx, upstreamOf(ctx));
  const isManaged = operation.surface === 'management';
  const reply = isManaged || forwarded.status === 404 ? await withWholeBody(forwarded) : forwarded;
  if (isMissingStatus(reply.status) && !known.has(operation.id)) {
    const unknown = (path: string) => forward(ctx, upstreamOf(ctx), path);
    if (reply.status !== 404 || (await isOfMissingRoute(ctx, reply, unknown))) {
      discard(reply);
      ctx.state.route = withOwnAccount(served, route);
      return next();
    }
  }
  if (reply.status < 300) known.add(operation.id);
  const isLearned = isManaged && reply.status < 300 && operation.method !== 'DELETE';
  // What is updated is known before, and what is created after the mock has made it, unless that refuses its spec.
  if (isLearned && operation.method !== 'POST') learnNames(served, route, reply);
  await makeSameChange(reply.status, operation, next);
  if (isLearned && operation.method === 'POST') learnNames(served, route, reply);
  ctx.state.reply = reply;
}

/** What another server did, so that the mock knows the same names in what it answers itself. */
export async function makeSameChange(status: number, operation: Operation, next: () => Promise<void>): Promise<void> {
  const isChange = status < 300 && operation.surface === 'management' && operation.method !== 'GET';
  if (isChange) await next().catch(rethrowMistake);
}

/** The mock may refuse what the upstream has accepted. */
function rethrowMistake(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}

const upstreamOf = ({ state }: Context): string => (state.served.config.upstream ?? '').replace(/\/+$/, '');

/** Frees the connection. */
const discard = ({ body }: Reply): void => void (body instanceof Readable && body.resume());

/** Only unknown paths are forwarded, and unknown methods of known ones only to a preferred upstream. */
async function forwardOrRefuse(ctx: Context): Promise<void> {
  const { upstream, prefersUpstream = false } = ctx.state.served.config;
  const isUnknown = prefersUpstream || methodsAt(ctx).length === 0;
  // The credential of the console's own requests must not leave the mock.
  if (upstream === undefined || ctx.state.isFromConsole || !isUnknown) throw noSuchOperation(ctx);
  ctx.state.reply = await forward(ctx, upstreamOf(ctx));
}

function noSuchOperation(ctx: Context): Problem {
  const methods = methodsAt(ctx);
  const path = ctx.state.world.mount.path + ctx.path;
  if (methods.length > 0) return methodNotAllowed(ctx.method, path, methods);
  return unknownPath(path, nearestPaths(ctx));
}
