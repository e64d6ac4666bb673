/** Records the request in the journal of its world; recordResponse adds the response when it is sent. */
import { enter } from '../journal.ts';
import type { Step } from '../context.ts';

export const journal: Step = (ctx, next) => {
  if (ctx.state.isFromConsole) return next();
  // A deviation may run the steps more than once per request.
  ctx.state.entry ??= enter(ctx.state.served.journal, ctx, ctx.state.world.clock.now());
  return next();
};
