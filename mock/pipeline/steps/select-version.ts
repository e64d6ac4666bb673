/** Selects the API version; an unknown one is refused before any other check. */
import { earliestStable, isKnownVersion } from '../../../spec/versions.ts';
import { requireState, type Step } from '../context.ts';
import { unknownVersion } from '../../http/problems.ts';

export const selectVersion: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  const name = ctx.state.world.headers.version;
  const requested = ctx.headers[name.toLowerCase()];
  // A repeated header arrives as one comma-separated value, which is not a version either.
  if (operation.versioned && requested !== undefined && !isKnownVersion(String(requested)))
    throw unknownVersion(name, String(requested));
  ctx.state.version = requested === undefined ? earliestStable : String(requested);
  return next();
};
