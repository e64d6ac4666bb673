/** Calls the operation's endpoint, which knows only the first version that has it, and stores its reply in the form of the selected one. */
import { replyIn } from '../../../spec/in-version.ts';
import { operationIn } from '../../../spec/operation-versions.ts';
import { earliestStable } from '../../../spec/versions.ts';
import { Readable } from 'node:stream';
import type { Operation } from '../../../spec/operations.ts';
import { requireState, type Context, type Step } from '../context.ts';
import { bytesRead } from '../../http/read-bytes.ts';
import type { Call, Endpoint } from '../../endpoints/endpoint.ts';
import type { Reply } from '../../http/reply.ts';
import { endpoints } from '../../endpoints/index.ts';
import type { OperationId } from '../../../spec/generated/types.ts';

const endpointsById = endpoints as unknown as { readonly [Id in OperationId]?: Endpoint<never> };

export const callEndpoint: Step = async (ctx) => {
  const { operation, params } = requireState(ctx.state.route, 'matchOperation');
  const endpoint = requireState(endpointsById[operation.id], 'matchOperation');
  const { world, credential, workspace, body } = ctx.state;
  const version = requireState(ctx.state.version, 'selectVersion');
  const call = {
    operation,
    world,
    credential,
    workspace,
    path: params,
    headers: ctx.headers,
    onLeave: (release: () => void) => onLeave(ctx, release),
    query: queryOf(ctx, operation),
    body,
    bodyBytes: bytesRead(ctx.req)?.length,
    version,
  } as unknown as Call<never>;
  ctx.state.reply = inVersion(version, operation, await endpoint(call));
};

/** The body in the form of the version, if it is JSON. */
function inVersion(version: string, { id }: Operation, reply: Reply): Reply {
  const { status, body, headers } = reply;
  const isJson = headers?.['content-type'] === undefined && !(body instanceof Uint8Array || body instanceof Readable);
  if (version === earliestStable || !isJson) return reply;
  // An endpoint may have serialized it.
  const json: unknown = typeof body === 'string' ? JSON.parse(body) : body;
  return { ...reply, body: replyIn(version, id, status, json) };
}

function onLeave({ res }: Context, release: () => void): void {
  if (res.destroyed) release();
  else res.once('close', release);
}

const NO_QUERY: Call['query'] = new URLSearchParams();

/** Without the parameters of the earliest version that the selected one does not have. */
function queryOf({ querystring, state }: Context, { id, queryParameters }: Operation): Call['query'] {
  if (querystring === '') return NO_QUERY;
  const query = new URLSearchParams(querystring);
  const version = state.version ?? earliestStable;
  if (version === earliestStable) return query;
  const known = new Set(operationIn(version, id)?.parameters.map(({ name }) => name));
  for (const name of queryParameters) if (!known.has(name)) query.delete(name);
  return query;
}
