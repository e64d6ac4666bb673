/** Sends a reply. Uses node:http directly: setting headers one by one through Koa costs more than the rest of a GET. */
import type { OutgoingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Reply } from '../http/reply.ts';
import { httpDate } from '../time/http-date.ts';
import type { Context } from './context.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Credentials are sent in a header that scripts set, never in cookies, so any page may read responses. */
const CROSS_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };

/** The body that was sent. */
export type Payload = string | Uint8Array | Readable;

/** Its Date header is the virtual time, unless the reply has its own. */
export function writeReply(ctx: Context, { status, body, headers }: Reply): Payload {
  const { req, res, state } = ctx;
  ctx.respond = false;
  const payload = payloadOf(body);
  const all: OutgoingHttpHeaders = { 'content-type': JSON_TYPE, date: httpDate(state.world.clock.now()) };
  if (!(payload instanceof Readable)) all['content-length'] = Buffer.byteLength(payload);
  if (req.headers.origin !== undefined) Object.assign(all, CROSS_ORIGIN);
  if (headers !== undefined) Object.assign(all, headers);
  if (all['content-type'] === '') delete all['content-type'];
  res.writeHead(status, all);
  if (payload instanceof Readable) stream(ctx, payload);
  else res.end(payload);
  return payload;
}

/** The same reply, whose body no longer shares objects with the world. */
export function serializeReply(reply: Reply): Reply {
  return { ...reply, body: payloadOf(reply.body) };
}

function payloadOf(body: unknown): Payload {
  return typeof body === 'string' || body instanceof Uint8Array || body instanceof Readable
    ? body
    : JSON.stringify(body);
}

/** Destroys the source when the client disconnects, which is not an error. */
function stream({ res, method }: Pick<Context, 'res' | 'method'>, source: Readable): void {
  res.flushHeaders();
  if (method === 'HEAD') source.destroy();
  pipeline(source, res, () => {});
}
