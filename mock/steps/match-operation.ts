/** Settles which operation is asked for; an unknown path or method ends here. */
import type { Context, Step } from '../context.ts';
import { methodNotAllowed, unknownPath, type Problem } from '../problems.ts';
import { methodsAt, nearestPaths, routeOf } from '../routes.ts';

export const matchOperation: Step = (ctx, next) => {
  const route = routeOf(ctx);
  if (route === undefined) throw noSuchOperation(ctx);
  ctx.state.route = route;
  return next();
};

function noSuchOperation(ctx: Context): Problem {
  const methods = methodsAt(ctx);
  if (methods.length > 0) return methodNotAllowed(ctx.method, ctx.path, methods);
  return unknownPath(ctx.path, nearestPaths(ctx));
}
