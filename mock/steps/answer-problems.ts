/** Turns what later steps throw into the error body of the surface that was asked. */
import type { Context, Step } from '../context.ts';
import type { Reply } from '../endpoint.ts';
import { asProblem, type Problem } from '../problems.ts';
import { placeOf } from '../routes.ts';

export const answerProblems: Step = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.state.reply = asReply(ctx, asProblem(error));
  }
};

function asReply(ctx: Context, { status, kind, message, headers }: Problem): Reply {
  if (placeOf(ctx).surface === 'sandbox') return { status, headers, body: { error: message } };
  // The document shows no code in this one error body (errors.version.body-shape).
  if (kind === 'invalid_api_version') return { status, headers, body: { error: kind, message } };
  return { status, headers, body: { error: kind, code: status, message } };
}
