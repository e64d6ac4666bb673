/** Lets an answer go wrong on its way out, as a fault rule asks. */
import { Readable } from 'node:stream';
import type { Spoil } from './control/faults.ts';
import type { Context } from './context.ts';
import type { Reply } from './endpoint.ts';
import { writeReply } from './write-reply.ts';

export function spoilReply(ctx: Context, reply: Reply | undefined, spoil: Spoil): void {
  if (spoil === 'cut') return cut(ctx, reply);
  if (reply !== undefined) writeReply(ctx, { ...reply, body: half(reply.body) });
}

function cut(ctx: Context, reply: Reply | undefined): void {
  ctx.respond = false;
  if (reply?.body instanceof Readable) reply.body.destroy();
  ctx.req.socket.destroy();
}

/** The first half of an object's or an array's JSON is never JSON itself. A stream is left as it is. */
function half(body: Reply['body']): Reply['body'] {
  if (body instanceof Readable) return body;
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}
