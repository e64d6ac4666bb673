/** Settles the version of the interface that answers; an unknown one is refused before anything else is looked at. */
import { earliestStable, isKnownVersion } from '../../../spec/versions.ts';
import { requireState, type Step } from '../context.ts';
import { unknownVersion } from '../../http/problems.ts';

export const selectVersion: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  const name = ctx.state.world.headers.version;
  const requested = ctx.headers[name.toLowerCase()];
  // A header sent twice arrives as one value, joined by a comma, which is no version either.
  if (operation.versioned && requested !== undefined && !isKnownVersion(String(requested)))
    throw unknownVersion(name, String(requested));
  ctx.state.version = requested === undefined ? earliestStable : String(requested);
  return next();
};
