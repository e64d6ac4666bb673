/** Holds the request against the rules that were put around the steps, once it has passed all others. */
import type { Context, Step } from '../context.ts';

export const keepFurtherRules: Step = (ctx, next) => {
  const { furtherRules } = ctx.state;
  return furtherRules === undefined ? next() : keepThen(ctx, furtherRules, next);
};

async function keepThen(
  ctx: Context,
  rules: NonNullable<Context['state']['furtherRules']>,
  next: () => Promise<void>,
): Promise<void> {
  for (const rule of rules) await rule(ctx);
  await next();
}
