/** Factories of deviations: any write of metadata. */
import { runWithBody, bodyOf, isFor, sentBody, type App, type Fault } from './deviation.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Context } from '../pipeline/context.ts';
import { routeOf } from '../pipeline/routes.ts';
import { placeAt } from '../domains/resources/kinds.ts';
import type { Place } from '../domains/resources/kind.ts';
import { findResource, putResource } from '../state/resources.ts';
import type { Resource } from '../state/resources.ts';
import type { JsonObject } from '../../spec/json-object.ts';
import { operationsLabel } from './conditions.ts';
import { isObject } from '../../spec/json-object.ts';

/** The body of a write, valid or not. Readers must check the type of each value. */
export interface Sent extends JsonObject {
  readonly metadata: JsonObject;
}

/** The response body, to be modified. */
export interface ResponseBody extends JsonObject {
  metadata: JsonObject;
}

/** Whether it is one of those that go wrong, by what was sent and by whom. */
export type AppliesTo<S = Sent> = (sent: S, ctx: Context) => boolean;

export async function sentBodyOf(ctx: Context): Promise<Sent> {
  const body = await sentBody(ctx);
  const sent = isObject(body) ? body : {};
  return { ...sent, metadata: isObject(sent['metadata']) ? sent['metadata'] : {} };
}

export const isAccepted = ({ state: { reply } }: Context): boolean => reply !== undefined && reply.status < 300;
/** A refusal because of the body, not of the caller. */
export const isRefused = ({ state: { reply } }: Context): boolean => reply?.status === 400 || reply?.status === 409;

export const isByBrandHeader = ({ headers, state: { world } }: Context): boolean =>
  headers[world.headers.authorization.toLowerCase()] !== undefined;

export const isFromApiKey = ({ headers }: Context): boolean => (headers.authorization ?? '').includes('svc-key-');

/** Whether a request or response body is an agent with this property. */
export const isOfMk3 = ({ spec }: JsonObject): boolean =>
  (spec as { readonly runtime?: { readonly generation?: unknown } } | undefined)?.runtime?.generation === 'mk3';

/** Does something after these writes. */
export function after(
  ids: readonly OperationId[],
  then: (sent: Sent, ctx: Context, app: App) => Promise<void> | void,
): Fault {
  return afterReading(sentBodyOf, ids, then);
}

/** The same with a custom parser for the body. */
export function afterReading<S>(
  read: (ctx: Context) => Promise<S>,
  ids: readonly OperationId[],
  then: (sent: S, ctx: Context, app: App) => Promise<void> | void,
): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (isFor(ctx, ids)) await then(await read(ctx), ctx, app);
    };
  return { kind: 'change write', condition: operationsLabel(ids), wrap };
}

/** Accepts some invalid writes as if they were `corrected`, and returns the metadata as sent. */
export function accepts(ids: readonly OperationId[], applies: AppliesTo, corrected: (sent: Sent) => JsonObject): Fault {
  const deviation = after(ids, async (sent, ctx, app) => {
    if (!isRefused(ctx) || !applies(sent, ctx)) return;
    await acceptAs(app, ctx, corrected(sent), ({ metadata }) => void Object.assign(metadata, sent.metadata));
  });
  return { ...deviation, kind: 'accept as corrected' };
}

/** Performs refused writes as if they were `corrected`. The response may be modified afterwards. */
export async function acceptAs(
  app: App,
  ctx: Context,
  corrected: unknown,
  response: (body: ResponseBody) => void,
): Promise<void> {
  const before = ctx.state.reply;
  await runWithBody(app, ctx, corrected);
  if (isAccepted(ctx)) changeResponse(ctx, response);
  else if (before !== undefined) ctx.state.reply = before; // It has another mistake.
}

/** Refuses some of what it should refuse, but does it first, as if it had been `corrected`. */
export function appliesThenRefuses(
  ids: readonly OperationId[],
  applies: AppliesTo,
  corrected: (sent: Sent) => JsonObject,
): Fault {
  const deviation = after(ids, async (sent, ctx, app) => {
    const before = ctx.state.reply;
    if (before === undefined || !isRefused(ctx) || !applies(sent, ctx)) return;
    await runWithBody(app, ctx, corrected(sent));
    ctx.state.reply = before;
  });
  return { ...deviation, kind: 'keep what is refused' };
}

/** Refuses some valid writes, without any effect. */
export function refuses(ids: readonly OperationId[], applies: AppliesTo, status = 400): Fault {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      if (!isFor(ctx, ids) || !applies(await sentBodyOf(ctx), ctx)) return app(ctx);
      refuseWith(ctx, status);
    };
  return { kind: 'refuse', condition: operationsLabel(ids), wrap };
}

export function refuseWith(ctx: Context, status: number): void {
  ctx.state.reply = { status, body: { error: 'refused', code: status, message: 'This is refused.' } };
}

/** Modifies the response, but not the stored resource. */
export function changesResponse(
  ids: readonly OperationId[],
  edit: (body: ResponseBody, sent: Sent, ctx: Context) => void,
): Fault {
  const deviation = after(ids, (sent, ctx) => {
    if (isAccepted(ctx)) changeResponse(ctx, (body) => edit(body, sent, ctx));
  });
  return { ...deviation, kind: 'change response' };
}

/** Stores something else than what it returns. */
export function storesInstead(
  ids: readonly OperationId[],
  edit: (resource: Resource, sent: Sent, ctx: Context) => Resource,
): Fault {
  const deviation = after(ids, (sent, ctx) => {
    if (isAccepted(ctx)) change(ctx, nameOf(ctx, sent), (resource) => edit(resource, sent, ctx));
  });
  return { ...deviation, kind: 'store another value' };
}

export function changeResponse(ctx: Context, edit: (body: ResponseBody) => void): void {
  const { reply } = ctx.state;
  const body = bodyOf(ctx) as ResponseBody;
  edit(body);
  if (reply !== undefined) ctx.state.reply = { ...reply, body: body };
}

/** The name of the path, or that of the body if the path has none. */
export const nameOf = (ctx: Context, { metadata: { name } }: Sent): string =>
  routeOf(ctx)?.params['agentName'] ?? String(name);

/** Replaces the resource of the written type with that name. Undefined if there is none. */
export function change(ctx: Context, name: string, edit: (resource: Resource) => Resource): Resource | undefined {
  const key = keyOf(ctx);
  const resource = findResource(ctx.state.world, key, name);
  if (resource === undefined) return undefined;
  const changed = edit(resource);
  putResource(ctx.state.world, key, changed);
  return changed;
}

/** Of the collection that is written to. */
export const keyOf = (ctx: Context): string => placeOf(ctx).key;

/** The collection that is written to. Throws if the workspace is not determined yet. */
export function placeOf(ctx: Context): Place {
  const { workspace } = ctx.state;
  const collection =
    routeOf(ctx)
      ?.operation.path.replace(/\/\{.*$/, '')
      .slice(1) ?? '';
  const place = workspace && placeAt(workspace, collection);
  if (place === undefined) throw new Error(`Nothing is kept at ${collection}.`);
  return place;
}

export const withMetadata = (sent: Sent, metadata: JsonObject): JsonObject => ({
  ...sent,
  metadata: { ...sent.metadata, ...metadata },
});

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
