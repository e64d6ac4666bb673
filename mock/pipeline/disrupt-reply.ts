/** Damages or slows down a response when it is sent, as a fault rule or a scripted response requires. */
import { pipeline, Readable, Transform } from 'node:stream';
import type { Context } from './context.ts';
import { delay } from '../http/delay.ts';
import type { Reply } from '../http/reply.ts';
import type { Disruption } from './response-effect.ts';
import { writeReply, type Payload } from './write-reply.ts';

export function disruptReply(ctx: Context, reply: Reply | undefined, disruption: Disruption): Payload | undefined {
  if (disruption.kind === 'cut' || reply === undefined) return cut(ctx, reply);
  if (disruption.kind === 'cut-body' && isWithoutBody(ctx, reply)) return cut(ctx, reply);
  switch (disruption.kind) {
    case 'broken-json':
      return writeReply(ctx, { ...reply, body: half(reply) });
    case 'cut-body':
      return writeReply(ctx, streamed(reply, beginning(piecesOf(reply.body))));
    case 'slow-body':
      return writeReply(ctx, streamed(reply, slowed(ctx, piecesOf(reply.body), disruption.bytesPerSecond)));
  }
}

/** Half of an empty body is a complete response. */
function isWithoutBody({ method }: Context, { body }: Reply): boolean {
  return method === 'HEAD' || (!(body instanceof Readable) && bytesOf(body).length === 0);
}

function cut(ctx: Context, reply: Reply | undefined): undefined {
  ctx.respond = false;
  if (reply?.body instanceof Readable) reply.body.destroy();
  ctx.req.socket.destroy();
}

/** The first half of the JSON of an object or array is never valid JSON. A stream without events has no JSON and stays as it is. */
function half({ body, headers }: Reply): Reply['body'] {
  if (body instanceof Readable) return isEvents(headers) ? brokenEvents(body) : body;
  const bytes = bytesOf(body);
  return bytes.subarray(0, Math.ceil(bytes.length / 2));
}

function bytesOf(body: unknown): Uint8Array {
  return body instanceof Uint8Array
    ? body
    : Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
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

/** A body as one or more pieces; of a stream, the pieces as they are produced. */
async function* piecesOf(body: unknown): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Readable)) yield bytesOf(body);
  else for await (const piece of body) yield bytesOf(piece);
}

/** The reply with its pieces as a stream, and with the length that it announces. */
function streamed({ body, ...reply }: Reply, pieces: AsyncIterable<Uint8Array>): Reply {
  const length = body instanceof Readable ? {} : { 'content-length': String(bytesOf(body).length) };
  return { ...reply, headers: { ...length, ...reply.headers }, body: Readable.from(pieces, { objectMode: false }) };
}

/** The first half of the first piece; then fails, which closes the connection. */
async function* beginning(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    yield piece.subarray(0, Math.ceil(piece.length / 2));
    break;
  }
  throw new Error('The response is cut.');
}

const PIECES_PER_SECOND = 20;

async function* slowed(
  { res }: Context,
  pieces: AsyncIterable<Uint8Array>,
  bytesPerSecond: number,
): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.round(bytesPerSecond / PIECES_PER_SECOND));
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += size) {
      const part = piece.subarray(at, at + size);
      await delay(res, (part.length / bytesPerSecond) * 1000);
      yield part;
    }
  }
}
