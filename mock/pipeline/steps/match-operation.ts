/** Finds the operation of the request; forwards a request to an unknown path if there is an upstream, and throws otherwise. */
import { forward } from '../forward.ts';
import type { Context, Step } from '../context.ts';
import { nearestPaths } from '../nearest-paths.ts';
import { methodNotAllowed, unknownPath, type Problem } from '../../http/problems.ts';
import { methodsAt, routeOf } from '../routes.ts';

export const matchOperation: Step = (ctx, next) => {
  const route = routeOf(ctx);
  if (route === undefined) return forwardOrRefuse(ctx);
  ctx.state.route = route;
  return next();
};

/** Only unknown paths are forwarded, not unknown methods of known ones. */
async function forwardOrRefuse(ctx: Context): Promise<void> {
  const { upstream } = ctx.state.served.config;
  // The credential of the console's own requests must not leave the mock.
  if (upstream === undefined || ctx.state.isFromConsole || methodsAt(ctx).length > 0) throw noSuchOperation(ctx);
  ctx.state.reply = await forward(ctx, upstream.replace(/\/+$/, ''));
}

function noSuchOperation(ctx: Context): Problem {
  const methods = methodsAt(ctx);
  const path = ctx.state.world.mount.path + ctx.path;
  if (methods.length > 0) return methodNotAllowed(ctx.method, path, methods);
  return unknownPath(path, nearestPaths(ctx));
}
