/** Applies the world's fault rules to the request. */
import { drawFault, type Fault } from '../faults.ts';
import type { Context, Step } from '../context.ts';
import { delay } from '../../http/delay.ts';
import { Problem } from '../../http/problems.ts';
import { STATUS_CODES } from '../../http/required.ts';
import { routeOf } from '../routes.ts';

export const faults: Step = (ctx, next) => {
  const { faults: rules } = ctx.state.served;
  if (rules.length === 0) return next();
  const route = routeOf(ctx);
  // Set here for the journal: a fault may end the request before matchOperation runs.
  if (route !== undefined) ctx.state.route = route;
  // Wrappers may run the steps more than once per request, but a rule counts requests.
  const isAgain = ctx.state.fault !== undefined;
  ctx.state.fault ??= drawFault(rules, route?.operation.id) ?? false;
  return ctx.state.fault === false ? next() : disturb(ctx, ctx.state.fault, isAgain, next);
};

async function disturb(
  ctx: Context,
  { index, rule }: Fault,
  isAgain: boolean,
  next: () => Promise<void>,
): Promise<void> {
  const { status, headers, delayMs, cut, brokenJson } = rule;
  if (ctx.state.entry !== undefined) ctx.state.entry.fault = index;
  if (delayMs !== undefined && !isAgain) await delay(ctx.res, delayMs);
  if (cut !== undefined) ctx.state.disruption = 'cut';
  else if (brokenJson === true) ctx.state.disruption = 'broken-json';
  if (cut === 'before') return;
  if (status !== undefined) throw faultProblem(status, headers);
  await next();
}

function faultProblem(status: number, headers: Readonly<Record<string, string>> = {}): Problem {
  const phrase = STATUS_CODES[status] ?? 'Fault';
  const kind = phrase.toLowerCase().replaceAll(/[^a-z]+/g, '_');
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return new Problem(status, kind, `${phrase}: injected by a rule of /_mock/faults.`, Object.fromEntries(lowered));
}
