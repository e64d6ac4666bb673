/** Applies the refusals of a profile to a request that has passed all other checks. */
import type { Context, Step } from '../context.ts';

export const applyProfileRefusals: Step = (ctx, next) => {
  const { furtherRules: profileRefusals } = ctx.state;
  return profileRefusals === undefined ? next() : applyThen(ctx, profileRefusals, next);
};

async function applyThen(
  ctx: Context,
  rules: NonNullable<Context['state']['furtherRules']>,
  next: () => Promise<void>,
): Promise<void> {
  for (const rule of rules) await rule(ctx);
  await next();
}
