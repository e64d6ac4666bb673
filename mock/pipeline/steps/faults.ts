/** Applies the world's fault rules to the request. */
import { drawFault, type Fault } from '../faults.ts';
import type { Context, Step } from '../context.ts';
import { realDelay } from '../real-delay.ts';
import { disruptionOf, drawDelay } from '../response-effect.ts';
import { routeOf } from '../routes.ts';
import { scriptedReply } from '../scripted-response.ts';

export const faults: Step = (ctx, next) => {
  const { faults: rules } = ctx.state.served;
  return rules.length === 0 || ctx.state.isFromConsole ? next() : disturbIfDrawn(ctx, next);
};

async function disturbIfDrawn(ctx: Context, next: () => Promise<void>): Promise<void> {
  const route = routeOf(ctx);
  // Set here for the journal: a fault may end the request before matchOperation runs.
  if (route !== undefined) ctx.state.route = route;
  // Wrappers may run the steps more than once per request, but a rule counts requests.
  const isAgain = ctx.state.fault !== undefined;
  ctx.state.fault ??= (await drawFault(ctx.state.served.faults, ctx)) ?? false;
  return ctx.state.fault === false ? next() : disturb(ctx, ctx.state.fault, isAgain, next);
}

async function disturb(
  ctx: Context,
  { index, rule, random }: Fault,
  isAgain: boolean,
  next: () => Promise<void>,
): Promise<void> {
  const { status, delayMs, cut, headers } = rule;
  if (ctx.state.entry !== undefined) ctx.state.entry.fault = index;
  if (delayMs !== undefined && !isAgain) await realDelay(ctx, drawDelay(delayMs, random));
  const disruption = disruptionOf(rule);
  if (disruption !== undefined) ctx.state.disruption = disruption;
  if (cut === 'before') return;
  if (status === undefined) return next();
  ctx.state.reply = scriptedReply({ status, ...(headers && { headers }) }, 'a rule of /_mock/faults');
}
