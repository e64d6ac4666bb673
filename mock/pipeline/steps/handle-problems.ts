/** Turns errors of later steps into the error body of the request's surface. */
import type { OperationId } from '../../../spec/generated/types.ts';
import type { Context, Step } from '../context.ts';
import type { Reply } from '../../http/reply.ts';
import { oauthError } from '../../domains/oauth/oauth-error.ts';
import { asProblem, problemReply, withHeaders, type Problem } from '../../http/problems.ts';
import type { Surface } from '../../../spec/openapi-document.ts';
import { requestedAddress } from '../../state/requested-address.ts';
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

function asReply(ctx: Context, error: Problem): Reply {
  const { surface, path } = placeOf(ctx);
  if (surface === 'host' && path.startsWith('/oauth/')) return oauthError(error);
  const problem = withResourceMetadata(ctx, error);
  const { status, headers, kind, message } = problem;
  if (isForOpenAiClient(ctx, surface, path) && kind !== 'invalid_api_version')
    return { status, headers, body: { error: { message, type: kind, param: null, code: kind } } };
  return surface === 'sandbox' ? { status, headers, body: { error: message } } : problemReply(problem);
}

/** Below the base URL of their client, also at an unknown path. */
function isForOpenAiClient({ state }: Context, surface: Surface, path: string): boolean {
  return CHAT.has(state.route?.operation.id) || (surface === 'inference' && OPENAI_BASE.test(path));
}

const OPENAI_BASE = /^\/[^/]+\/models\/[^/]+\/v1(?:\/|$)/i;

/** A challenge of an MCP endpoint says how to log in (MCP 2025-11-25, Authorization Server Location; RFC 9728 5.1). */
function withResourceMetadata(ctx: Context, problem: Problem): Problem {
  const { world, route } = ctx.state;
  const challenge = problem.headers['www-authenticate'];
  if (challenge === undefined || route?.operation.path.endsWith('/mcp') !== true || world.onlyDocumented)
    return problem;
  const url = `${requestedAddress({ world, headers: ctx.headers })}/.well-known/oauth-protected-resource${ctx.path}`;
  const separator = challenge.includes('=') ? ', ' : ' ';
  return withHeaders(problem, {
    'www-authenticate': `${challenge}${separator}resource_metadata="${url.replaceAll(/["\\]/g, encodeURIComponent)}"`,
  });
}
