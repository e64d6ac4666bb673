/** Calls the operation's endpoint and stores its reply. */
import { requireState, type Context, type Step } from '../context.ts';
import { bytesRead } from '../../http/read-bytes.ts';
import type { Call, Endpoint } from '../../endpoints/endpoint.ts';
import { endpoints } from '../../endpoints/index.ts';
import type { OperationId } from '../../../spec/generated/types.ts';

const endpointsById = endpoints as unknown as { readonly [Id in OperationId]?: Endpoint<never> };

export const callEndpoint: Step = async (ctx) => {
  const { operation, params } = requireState(ctx.state.route, 'matchOperation');
  const endpoint = requireState(endpointsById[operation.id], 'matchOperation');
  const { world, version, credential, workspace, body } = ctx.state;
  const call = {
    operation,
    world,
    credential,
    workspace,
    path: params,
    headers: ctx.headers,
    onLeave: (release: () => void) => onLeave(ctx, release),
    query: queryOf(ctx),
    body,
    bodyBytes: bytesRead(ctx.req)?.length,
    version,
  } as unknown as Call<never>;
  ctx.state.reply = await endpoint(call);
};

function onLeave({ res }: Context, release: () => void): void {
  if (res.destroyed) release();
  else res.once('close', release);
}

const NO_QUERY: Call['query'] = new URLSearchParams();

function queryOf({ querystring }: Context): Call['query'] {
  return querystring === '' ? NO_QUERY : new URLSearchParams(querystring);
}
