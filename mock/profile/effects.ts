/** The effects of a profile: another response, another request, or a refusal. */
import { Readable } from 'node:stream';
import { isNoBodyStatus, type ObservedResponse } from '../../spec/observations/response-kinds.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import type { Reply } from '../http/reply.ts';
import { isObject } from '../../spec/json-object.ts';
import { Problem } from '../http/problems.ts';
import { runWith, runWithBody, runWithHeaders, bodyOf, isFor, sentBody } from '../wrap/wrapping.ts';
import { changeReply } from './response-body.ts';
import { cannot, layered, type Follow, type Layer } from './row.ts';

export type Matches = (ctx: Context) => boolean | Promise<boolean>;
/** Of the mock's own reply. */
export type MatchesReply = (ctx: Context, reply: Reply) => boolean | Promise<boolean>;

/** Changes matching replies to the observed response. */
export const respond =
  (matches: MatchesReply, as: Partial<ObservedResponse>): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || !(await matches(ctx, reply))) return;
    const isStream = reply.body instanceof Readable;
    if (isStream && as.body === undefined)
      return void (ctx.state.reply = { ...reply, status: as.status ?? reply.status });
    if (reply.body instanceof Readable) reply.body.destroy();
    ctx.state.reply = changeReply(reply, isStream ? undefined : dataOf(ctx), as);
  };

/** The same, unless no response has that form. */
export const respondsWith = (matches: MatchesReply, as: ObservedResponse): Follow =>
  isNoBodyStatus(as.status) && (as.mediaType ?? as.body ?? 'nothing') !== 'nothing'
    ? cannot(`a response of status ${as.status} has no body`)
    : layered(respond(matches, as));

/** Requests whose reply a row has changed, so that rows about the mock's own reply ignore it. */
export const changed = new WeakSet<Context>();

export const unlessChanged =
  (matches: MatchesReply): MatchesReply =>
  async (ctx, reply) => {
    if (changed.has(ctx) || !(await matches(ctx, reply))) return false;
    changed.add(ctx);
    return true;
  };

/** Replaces the body of matching replies. */
export const editReply =
  (matches: MatchesReply, edit: (body: unknown, ctx: Context) => unknown): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || reply.body instanceof Readable || !(await matches(ctx, reply))) return;
    ctx.state.reply = { ...reply, body: await edit(dataOf(ctx), ctx) };
  };

/** Refuses matching requests after all checks of the document. */
export const refuse =
  (matches: Matches, status: number, { kind = 'invalid_request', message = MESSAGE } = {}): Layer =>
  (app) =>
  (ctx) => {
    const rule = async (checked: Context) => {
      if (await matches(checked)) throw new Problem(status, kind, message);
    };
    ctx.state.furtherRules = [...(ctx.state.furtherRules ?? []), rule];
    return app(ctx);
  };

const MESSAGE = 'The observed deployment refuses this request.';

/** Replies as if the query had been another one. */
export const withQuery =
  (matches: Matches, edit: (query: URLSearchParams) => void): Layer =>
  (app) =>
  async (ctx) =>
    (await matches(ctx)) ? runWith(app, ctx, edit) : app(ctx);

/** Replies as if the JSON body had been another one; undefined leaves it unchanged. */
export const withBody =
  (ids: readonly OperationId[], edit: (body: unknown, ctx: Context) => unknown): Layer =>
  (app) =>
  async (ctx) => {
    const other = isFor(ctx, ids) ? await edit(await sentBody(ctx), ctx) : undefined;
    return other === undefined ? app(ctx) : runWithBody(app, ctx, other);
  };

type Headers = Readonly<Record<string, string | undefined>>;

/** Replies as if these headers had been sent; undefined removes one. Names in lower case. */
export const withHeaders =
  (edit: (ctx: Context) => Headers | undefined): Layer =>
  (app) =>
  async (ctx) => {
    const other = edit(ctx);
    return other === undefined ? app(ctx) : runWithHeaders(app, ctx, other);
  };

export const isTo =
  (...ids: OperationId[]) =>
  (ctx: Context): boolean =>
    isFor(ctx, ids);

export const isSuccess = ({ status }: Reply): boolean => status < 300;

/** Successful replies of some operations. */
export const successOf =
  (...ids: OperationId[]): MatchesReply =>
  (ctx, reply) =>
    isSuccess(reply) && isFor(ctx, ids);

/** Replies of one operation with one status. */
export const replyOf =
  (id: OperationId, status: number, matches: MatchesReply = () => true): MatchesReply =>
  (ctx, reply) =>
    reply.status === status && isFor(ctx, [id]) && matches(ctx, reply);

/** The body as data if it is JSON, else its text. */
function dataOf(ctx: Context): unknown {
  const { reply } = ctx.state;
  const isText = reply?.headers?.['content-type']?.startsWith('text/') === true;
  return isText || reply?.body === '' ? reply?.body : bodyOf(ctx);
}

export const memberOf = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
