/** What a deviation is: a deliberate fault of the mock that breaks one requirement, put around the app from outside. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { OperationId } from '../../spec/generated/types.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import type { Context } from '../context.ts';
import type { Reply } from '../endpoint.ts';
import { readBytes } from '../read-bytes.ts';
import { routeOf } from '../routes.ts';

/** The whole mock as one function: fills `ctx.state.reply`. May be called more than once for one request. */
export type App = (ctx: Context) => Promise<void>;

export interface Deviation {
  /** Present tense, what the faulty mock does: "accepts a fourth dimension". */
  readonly what: string;
  readonly wrap: (app: App) => App;
}

/** By requirement id; further faults of one rule carry a variant behind a slash. */
export type Deviations = { readonly [Id in MustId | `${MustId}/${string}`]?: Deviation };

/** Whether the request is for one of these operations, whatever will be made of it. */
export function isFor(ctx: Context, ids: readonly OperationId[]): boolean {
  const route = routeOf(ctx);
  return route !== undefined && ids.includes(route.operation.id);
}

/** Runs the app as if the query had been another one; the request is as before afterwards. */
export async function askedWith(app: App, ctx: Context, edit: (query: URLSearchParams) => void): Promise<void> {
  const asked = ctx.url;
  const query = new URLSearchParams(ctx.querystring);
  edit(query);
  ctx.querystring = query.toString();
  try {
    await app(ctx);
  } finally {
    ctx.url = asked;
  }
}

/** The body of the request as data, whatever will be made of it; undefined where it is no JSON. */
export async function sentBody(ctx: Context): Promise<unknown> {
  try {
    return JSON.parse((await readBytes(ctx.req)).toString());
  } catch {
    return undefined; // The app will say what is wrong with it.
  }
}

/** Runs the app as if the body of the request had been another one; the request is as before afterwards. */
export async function askedWithBody(app: App, ctx: Context, body: unknown): Promise<void> {
  const sent = ctx.req;
  // Whoever reads a body listens to a stream; the head is read elsewhere.
  ctx.req = Readable.from([Buffer.from(JSON.stringify(body))]) as IncomingMessage;
  try {
    await app(ctx);
  } finally {
    ctx.req = sent;
  }
}

/** The reply's body as data, whatever form it has; undefined where there is none. */
export function bodyOf(ctx: Context): unknown {
  const body = ctx.state.reply?.body;
  if (typeof body === 'string') return JSON.parse(body);
  if (body instanceof Uint8Array) return JSON.parse(Buffer.from(body).toString());
  return structuredClone(body);
}

/** A fault that changes the answers of these operations: `edit` gets a copy of a successful body and gives the false one. */
export function onSuccess(
  what: string,
  ids: readonly OperationId[],
  edit: (body: never, ctx: Context) => unknown,
): Deviation {
  return onReply(what, ids, (status) => status < 300, edit);
}

/** The same for refusals. */
export function onRefusal(
  what: string,
  ids: readonly OperationId[],
  edit: (body: never, ctx: Context) => unknown,
): Deviation {
  return onReply(what, ids, (status) => status >= 400, edit);
}

function onReply(
  what: string,
  ids: readonly OperationId[],
  concerns: (status: number) => boolean,
  edit: (body: never, ctx: Context) => unknown,
): Deviation {
  return repliesWith(what, (reply, ctx) =>
    concerns(reply.status) && isFor(ctx, ids) ? { ...reply, body: edit(bodyOf(ctx) as never, ctx) } : undefined,
  );
}

/** Gives another reply in the place of the mock's; undefined leaves it. */
export function repliesWith(
  what: string,
  edit: (reply: Reply, ctx: Context, app: App) => Reply | undefined | Promise<Reply | undefined>,
): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply !== undefined) ctx.state.reply = (await edit(reply, ctx, app)) ?? reply;
    };
  return { what, wrap };
}
