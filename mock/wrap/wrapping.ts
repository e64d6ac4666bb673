/** The toolkit for wrapping the app: run it with a modified request, and read its response as data. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Context } from '../pipeline/context.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { App } from '../pipeline/app.ts';
import { routeOf } from '../pipeline/routes.ts';

/** Whether the request matches one of these operations, valid or not. */
export function isFor(ctx: Context, ids: readonly OperationId[]): boolean {
  const route = routeOf(ctx);
  return route !== undefined && ids.includes(route.operation.id);
}

/** Runs the app as if the query had been another one; the request is as before afterwards. */
export async function runWith(app: App, ctx: Context, edit: (query: URLSearchParams) => void): Promise<void> {
  const request = ctx.url;
  const query = new URLSearchParams(ctx.querystring);
  edit(query);
  ctx.querystring = query.toString();
  try {
    await app(ctx);
  } finally {
    ctx.url = request;
  }
}

/** The parsed request body, valid or not. Undefined if it is not JSON. */
export async function sentBody(ctx: Context): Promise<unknown> {
  try {
    return JSON.parse((await readBytes(ctx.req)).toString());
  } catch {
    return undefined; // The app reports the error.
  }
}

/** Runs the app as if the body of the request had been another one; the request is as before afterwards. */
export async function runWithBody(app: App, ctx: Context, body: unknown): Promise<void> {
  const sent = ctx.req;
  // Bodies are read from the stream; the headers are read elsewhere.
  ctx.req = Readable.from([Buffer.from(JSON.stringify(body))]) as IncomingMessage;
  try {
    await app(ctx);
  } finally {
    ctx.req = sent;
  }
}

/** The parsed response body. Undefined if there is none. */
export function bodyOf(ctx: Context): unknown {
  const body = ctx.state.reply?.body;
  if (typeof body === 'string') return JSON.parse(body);
  if (body instanceof Uint8Array) return JSON.parse(Buffer.from(body).toString());
  return structuredClone(body);
}

/** Runs the app with these request headers (undefined removes one), then restores the request. */
export async function runWithHeaders(
  app: App,
  ctx: Context,
  headers: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { request } = ctx; // Whose head stays where it was while `ctx.req` is another body.
  const sent = request.headers;
  const replaced = Object.entries({ ...sent, ...headers }).filter(([, value]) => value !== undefined);
  request.headers = Object.fromEntries(replaced);
  try {
    await app(ctx);
  } finally {
    request.headers = sent;
  }
}
