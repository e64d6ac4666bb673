/** Settles the version of the interface that answers; an unknown one is refused before anything else is looked at. */
import { earliestStable, isKnownVersion } from '../../../spec/versions.ts';
import { settled, type Step } from '../context.ts';
import { unknownVersion } from '../../http/problems.ts';

export const pickVersion: Step = (ctx, next) => {
  const { operation } = settled(ctx.state.route, 'matchOperation');
  const name = ctx.state.world.headers.version;
  const asked = ctx.headers[name.toLowerCase()];
  // A header sent twice arrives as one value, joined by a comma, which is no version either.
  if (operation.versioned && asked !== undefined && !isKnownVersion(String(asked)))
    throw unknownVersion(name, String(asked));
  ctx.state.version = asked === undefined ? earliestStable : String(asked);
  return next();
};
