/** Notes the request in the journal of its world; its answer is noted when it goes out. */
import { enter } from '../journal.ts';
import type { Step } from '../context.ts';

export const journal: Step = (ctx, next) => {
  // A deviation may run the steps more than once for one request.
  ctx.state.entry ??= enter(ctx.state.served.journal, ctx, ctx.state.world.clock.now());
  return next();
};
