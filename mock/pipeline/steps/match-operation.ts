/** Finds the operation of the request; throws for an unknown path or method. */
import type { Context, Step } from '../context.ts';
import { nearestPaths } from '../nearest-paths.ts';
import { methodNotAllowed, unknownPath, type Problem } from '../../http/problems.ts';
import { methodsAt, routeOf } from '../routes.ts';
import { pathOfWorld } from '../../state/urls.ts';

export const matchOperation: Step = (ctx, next) => {
  const route = routeOf(ctx);
  if (route === undefined) throw noSuchOperation(ctx);
  ctx.state.route = route;
  return next();
};

function noSuchOperation(ctx: Context): Problem {
  const methods = methodsAt(ctx);
  const path = pathOfWorld(ctx.state.world) + ctx.path;
  if (methods.length > 0) return methodNotAllowed(ctx.method, path, methods);
  return unknownPath(path, nearestPaths(ctx));
}
