/** The layers that make the mock answer otherwise: they change the request, the answer, or refuse before an endpoint is called. */
import type { OperationId } from '../../spec/operations.ts';
import type { Context } from '../pipeline/context.ts';
import { askedWith, askedWithBody, askedWithHeaders, bodyOf, isFor, sentBody } from '../wrap/wrapping.ts';
import type { Reply } from '../http/reply.ts';
import { Problem } from '../http/problems.ts';
import { Readable } from 'node:stream';
import type { Layer } from './point.ts';
import { recast, type Recast } from './recast.ts';
import { isObject } from '../http/json-object.ts';

export type Concerns = (ctx: Context) => boolean | Promise<boolean>;
/** Is asked of the mock's own answer. */
export type Answers = (ctx: Context, reply: Reply) => boolean | Promise<boolean>;

/** Recasts the answers that are concerned. */
export const answersAs =
  (answers: Answers, as: Recast): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || !(await answers(ctx, reply))) return;
    if (reply.body instanceof Readable) {
      if (as.form === undefined) return void (ctx.state.reply = { ...reply, status: as.status ?? reply.status });
      reply.body.destroy();
    }
    ctx.state.reply = recast(reply, reply.body instanceof Readable ? undefined : dataOf(ctx), as);
  };

/** Requests whose answer a point has recast: it is not the mock's own any more, which other points are about. */
export const recastOnes = new WeakSet<Context>();

export const unlessRecast =
  (answers: Answers): Answers =>
  async (ctx, reply) => {
    if (recastOnes.has(ctx) || !(await answers(ctx, reply))) return false;
    recastOnes.add(ctx);
    return true;
  };

/** Gives another body in the place of that of the answers that are concerned. */
export const answersWith =
  (answers: Answers, edit: (body: unknown, ctx: Context) => unknown): Layer =>
  (app) =>
  async (ctx) => {
    await app(ctx);
    const { reply } = ctx.state;
    if (reply === undefined || reply.body instanceof Readable || !(await answers(ctx, reply))) return;
    ctx.state.reply = { ...reply, body: await edit(dataOf(ctx), ctx) };
  };

/** Refuses requests that the mock would take, after all that is judged of every request. */
export const refusesWhen =
  (
    concerns: Concerns,
    status: number,
    { kind = 'invalid_request', message = MESSAGE }: { kind?: string; message?: string } = {},
  ): Layer =>
  (app) =>
  (ctx) => {
    const rule = async (asked: Context) => {
      if (await concerns(asked)) throw new Problem(status, kind, message);
    };
    ctx.state.furtherRules = [...(ctx.state.furtherRules ?? []), rule];
    return app(ctx);
  };

const MESSAGE = 'The target that this mock follows refuses that.';

/** Answers as if the query had been another one. */
export const asksWithQuery =
  (concerns: Concerns, edit: (query: URLSearchParams) => void): Layer =>
  (app) =>
  async (ctx) =>
    (await concerns(ctx)) ? askedWith(app, ctx, edit) : app(ctx);

/** Answers as if the JSON body had been another one; undefined leaves it. */
export const asksWithBody =
  (ids: readonly OperationId[], edit: (body: unknown, ctx: Context) => unknown): Layer =>
  (app) =>
  async (ctx) => {
    const other = isFor(ctx, ids) ? await edit(await sentBody(ctx), ctx) : undefined;
    return other === undefined ? app(ctx) : askedWithBody(app, ctx, other);
  };

/** Answers as if these headers had been sent so; undefined leaves one out. Names in lower case. */
export const asksWithHeaders =
  (
    edit: (
      ctx: Context,
    ) =>
      | Readonly<Record<string, string | undefined>>
      | undefined
      | Promise<Readonly<Record<string, string | undefined>> | undefined>,
  ): Layer =>
  (app) =>
  async (ctx) => {
    const other = await edit(ctx);
    return other === undefined ? app(ctx) : askedWithHeaders(app, ctx, other);
  };

export const isTo =
  (...ids: OperationId[]) =>
  (ctx: Context): boolean =>
    isFor(ctx, ids);

export const isSuccess = ({ status }: Reply): boolean => status < 300;

/** Data where it is JSON, else its text. */
function dataOf(ctx: Context): unknown {
  const { reply } = ctx.state;
  const isText = reply?.headers?.['content-type']?.startsWith('text/') === true;
  return isText || reply?.body === '' ? reply?.body : bodyOf(ctx);
}

export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}
