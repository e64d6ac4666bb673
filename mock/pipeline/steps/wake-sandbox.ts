/** Wakes up the sandbox of a request, which may take a while on the world's clock. */
import { wakeUp } from '../../domains/sandbox/sleep.ts';
import { findResource } from '../../state/resources.ts';
import type { Context, Step } from '../context.ts';
import { placeOf } from '../routes.ts';

export const wakeSandbox: Step = (ctx, next) => {
  if (ctx.state.world.lifecycles.plan.sandboxes === undefined) return next();
  const { sandbox } = placeOf(ctx);
  if (sandbox === undefined) return next();
  const { world } = ctx.state;
  const resource = findResource(world, `${sandbox.workspace}/sandboxes`, sandbox.sandboxName);
  const waitMs = resource === undefined ? 0 : wakeUp(world, resource);
  return waitMs === 0 ? next() : wakeFirst(ctx, waitMs, next);
};

async function wakeFirst(ctx: Context, waitMs: number, next: () => Promise<void>): Promise<void> {
  await ctx.state.world.timers.wait(waitMs, (release) => ctx.res.once('close', release));
  await next();
  const { reply } = ctx.state;
  if (reply !== undefined)
    ctx.state.reply = { ...reply, headers: { ...reply.headers, 'x-mock-wake-up': `${waitMs}ms` } };
}
