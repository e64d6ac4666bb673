/** The steps of requests that the mock handles beside the API: they are recorded, and fault rules and scripted responses apply. */
import compose from 'koa-compose';
import type { Reply } from '../http/reply.ts';
import type { App } from './app.ts';
import type { Context } from './context.ts';
import { faults } from './steps/faults.ts';
import { journal } from './steps/journal.ts';
import { scriptedResponses } from './steps/scripted-responses.ts';

/** The app needs `ctx.state.world`, and sets `ctx.state.reply`. It throws only errors of the socket. */
export function createSideApp(
  respond: (ctx: Context) => Reply | Promise<Reply>,
  replyTo: (error: unknown) => Reply,
): App {
  const setReply = async (ctx: Context): Promise<void> => {
    ctx.state.reply = await respond(ctx);
  };
  const steps = compose<Context>([journal, faults, scriptedResponses, setReply]);
  return async (ctx) => {
    try {
      await steps(ctx);
    } catch (error) {
      ctx.state.reply = replyTo(error);
    }
  };
}
