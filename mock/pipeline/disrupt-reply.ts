/** Damages a response when it is sent, as a fault rule requires. */
import { pipeline, Readable, Transform } from 'node:stream';
import type { Disruption } from './faults.ts';
import type { Context } from './context.ts';
import type { Reply } from '../http/reply.ts';
import { writeReply, type Payload } from './write-reply.ts';

export function disruptReply(ctx: Context, reply: Reply | undefined, spoil: Disruption): Payload | undefined {
  if (spoil === 'cut') cut(ctx, reply);
  else if (reply !== undefined) return writeReply(ctx, { ...reply, body: half(reply) });
}

function cut(ctx: Context, reply: Reply | undefined): void {
  ctx.respond = false;
  if (reply?.body instanceof Readable) reply.body.destroy();
  ctx.req.socket.destroy();
}

/** The first half of the JSON of an object or array is never valid JSON. A stream without events has no JSON and stays as it is. */
function half({ body, headers }: Reply): Reply['body'] {
  if (body instanceof Readable) return isEvents(headers) ? brokenEvents(body) : body;
  const bytes =
    body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

function isEvents(headers: Reply['headers']): boolean {
  return headers?.['content-type']?.startsWith('text/event-stream') === true;
}

/** Each chunk of the mock's streams is a whole event. */
function brokenEvents(events: Readable): Readable {
  const broken = new Transform({
    transform: (piece: Buffer, _, done) => {
      done(
        null,
        String(piece).replaceAll(/^data: \{.*$/gm, (line) => line.slice(0, Math.ceil(line.length / 2))),
      );
    },
  });
  return pipeline(events, broken, () => {});
}
