/** Selects the API version. An unknown one is refused before any other check, and then an operation that it does not have. */
import { operationIn } from '../../../spec/operation-versions.ts';
import { earliestStable, isKnownVersion } from '../../../spec/versions.ts';
import { requireState, type Step } from '../context.ts';
import { notInVersion, unknownVersion } from '../../http/problems.ts';

export const selectVersion: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  const name = ctx.state.world.headers.version;
  const requested = ctx.headers[name.toLowerCase()];
  // A repeated header arrives as one comma-separated value, which is not a version either.
  if (operation.versioned && requested !== undefined && !isKnownVersion(String(requested)))
    throw unknownVersion(name, String(requested));
  const version = isKnownVersion(String(requested)) ? String(requested) : earliestStable;
  // The rows of operations say the same of the earliest version without reading its document.
  if (version === earliestStable ? operation.since !== undefined : operationIn(version, operation.id) === undefined)
    throw notInVersion(`${operation.method} ${operation.path}`, version);
  ctx.state.version = version;
  return next();
};
