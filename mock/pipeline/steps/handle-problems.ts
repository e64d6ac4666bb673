/** Turns errors of later steps into the error body of the request's surface. */
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context, Step } from '../context.ts';
import type { Reply } from '../../http/reply.ts';
import { oauthError } from '../../domains/oauth/oauth-error.ts';
import { asProblem, problemReply, type Problem } from '../../http/problems.ts';
import { placeOf } from '../routes.ts';

/** Their clients expect errors in the format of the OpenAI protocol; the API documents none. */
const CHAT: ReadonlySet<string | undefined> = new Set<OperationId>(['createChatCompletion', 'createChatCompletionV1']);

export const handleProblems: Step = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.state.reply = asReply(ctx, asProblem(error));
  }
};

function asReply(ctx: Context, problem: Problem): Reply {
  const { surface, path } = placeOf(ctx);
  if (surface === 'host' && path.startsWith('/oauth/')) return oauthError(problem);
  const { status, headers, kind, message } = problem;
  if (CHAT.has(ctx.state.route?.operation.id) && kind !== 'invalid_api_version')
    return { status, headers, body: { error: { message, type: kind, param: null, code: kind } } };
  return surface === 'sandbox' ? { status, headers, body: { error: message } } : problemReply(problem);
}
