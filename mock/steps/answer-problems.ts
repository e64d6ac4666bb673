/** Turns what later steps throw into the error body of the surface that was asked. */
import type { Context, Step } from '../context.ts';
import type { Reply } from '../endpoint.ts';
import { oauthError } from '../oauth/oauth-error.ts';
import { asProblem, problemReply, type Problem } from '../problems.ts';
import { placeOf } from '../routes.ts';

export const answerProblems: Step = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.state.reply = asReply(ctx, asProblem(error));
  }
};

function asReply(ctx: Context, problem: Problem): Reply {
  const { surface, path } = placeOf(ctx);
  if (surface === 'host' && path.startsWith('/oauth/')) return oauthError(problem);
  const { status, headers, message } = problem;
  return surface === 'sandbox' ? { status, headers, body: { error: message } } : problemReply(problem);
}
