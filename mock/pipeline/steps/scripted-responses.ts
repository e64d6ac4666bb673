/** Sends scripted responses instead of calling the operation: of `/_mock/responses`, or the status that the header Prefer names. */
import type { Context, Step } from '../context.ts';
import { realDelay } from '../real-delay.ts';
import { invalidField } from '../../http/problems.ts';
import { disruptionOf, drawDelay } from '../response-effect.ts';
import { routeOf } from '../routes.ts';
import { nextResponse, scriptedProblem, scriptedReply, withoutBody, type ScriptTurn } from '../scripted-response.ts';

/** RFC 7240 2: names are case-insensitive, and the value may be quoted. */
const PREFERRED_CODE = /(?:^|[,;])\s*code\s*=\s*"?([^",;\s]*)"?/i;

export const scriptedResponses: Step = (ctx, next) => {
  const preferred = PREFERRED_CODE.exec(ctx.get('prefer'))?.[1];
  if (preferred !== undefined) return respondWithStatus(ctx, preferred, next);
  return ctx.state.served.scripts.length === 0 || ctx.state.isFromConsole ? next() : respondIfScripted(ctx, next);
};

/** An error status is sent instead of calling the operation; any other replaces the status of its success. */
async function respondWithStatus(ctx: Context, code: string, next: () => Promise<void>): Promise<void> {
  const status = Number(code);
  if (!/^[2-5]\d\d$/.test(code)) throw invalidField('code of the header Prefer', code, 'a status from 200 to 599');
  rememberRoute(ctx);
  const applied = { 'preference-applied': `code=${code}` };
  if (status >= 400) throw scriptedProblem(status, applied, 'the header Prefer');
  await next();
  const { reply } = ctx.state;
  if (reply !== undefined && reply.status < 400)
    ctx.state.reply = withoutBody({ ...reply, status, headers: { ...reply.headers, ...applied } });
}

async function respondIfScripted(ctx: Context, next: () => Promise<void>): Promise<void> {
  // Wrappers may run the steps more than once per request, but a sequence counts requests.
  const isAgain = ctx.state.scripted !== undefined;
  ctx.state.scripted ??= (await nextResponse(ctx.state.served.scripts, ctx)) ?? false;
  return ctx.state.scripted === false ? next() : respond(ctx, ctx.state.scripted, isAgain, next);
}

async function respond(
  ctx: Context,
  { script, response }: ScriptTurn,
  isAgain: boolean,
  next: () => Promise<void>,
): Promise<void> {
  rememberRoute(ctx);
  const { status, delayMs, cut } = response;
  if (ctx.state.entry !== undefined) ctx.state.entry.script = script.index;
  if (delayMs !== undefined && !isAgain) await realDelay(ctx, drawDelay(delayMs, script.random));
  const disruption = disruptionOf(response);
  if (disruption !== undefined) ctx.state.disruption = disruption;
  if (cut === 'before') return;
  if (status === undefined) return next();
  ctx.state.reply = scriptedReply(response, 'a script of /_mock/responses');
}

/** For the journal: matchOperation, which sets the route otherwise, does not run. */
export function rememberRoute(ctx: Context): void {
  const route = routeOf(ctx);
  if (route !== undefined) ctx.state.route = route;
}
