/** Sends the response of the recording that the mock replays, if it has one for the request, whoever sends it. */
import type { Context, Step } from '../context.ts';
import { recordedReply } from '../recorded-reply.ts';
import { nextRecorded } from '../next-recorded.ts';
import type { Replay } from '../replay.ts';
import { makeSameChange } from './match-operation.ts';
import { rememberRoute } from './scripted-responses.ts';

export const replayRecorded: Step = (ctx, next) => {
  const { replay } = ctx.state.served.config;
  return replay === undefined || ctx.state.isFromConsole ? next() : respondIfRecorded(ctx, replay, next);
};

async function respondIfRecorded(ctx: Context, replay: Replay, next: () => Promise<void>): Promise<void> {
  // Wrappers may run the steps more than once per request, but a sequence counts requests.
  ctx.state.recorded ??= (await nextRecorded(ctx, replay)) ?? false;
  const { recorded, entry, served } = ctx.state;
  if (recorded === false) return next();
  const { response } = recorded;
  rememberRoute(ctx);
  if (entry !== undefined) entry.replayed = true;
  const { route } = ctx.state;
  // A preferred upstream must not get what the recording answers.
  const mayChange = served.config.prefersUpstream !== true;
  if (route !== undefined && mayChange) await makeSameChange(response.status, route.operation, next);
  ctx.state.reply = recordedReply(ctx, replay, response);
}
