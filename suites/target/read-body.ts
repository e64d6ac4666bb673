/** Reads response bodies of limited size; large ones one after the other, so that memory stays bounded. */
import type { Gate } from './gate.ts';

/** Bytes. */
export const DEFAULT_MAX_BODY = 16 * 2 ** 20;

/** Bytes that a body may have without waiting for its turn. */
const SMALL_BODY = 2 ** 20;

/** The body is longer than it may be. Nothing is known about the rest of it. */
export class BodyTooLargeError extends Error {}

interface Body extends AsyncIterable<Uint8Array> {
  destroy(): unknown;
}

export interface BodyLimits {
  /** Bytes. */
  readonly maxBody: number;
  /** Admits one large body at a time. */
  readonly largeBodies: Gate;
  readonly signal: AbortSignal;
}

/** The text of a body; invalid UTF-8 becomes U+FFFD. Throws BodyTooLargeError and closes the connection if it is too long. */
export async function readBody(body: Body, { maxBody, largeBodies, signal }: BodyLimits): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let entry: number | undefined;
  try {
    for await (const chunk of body) {
      length += chunk.length;
      if (length > maxBody)
        throw new BodyTooLargeError(`its body is longer than ${describeBytes(maxBody)} (--max-body)`);
      chunks.push(chunk);
      if (length > SMALL_BODY) entry ??= await largeBodies.enter(signal);
    }
    return new TextDecoder().decode(Buffer.concat(chunks));
  } finally {
    if (entry !== undefined) largeBodies.leave(entry, false);
    body.destroy();
  }
}

function describeBytes(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`;
}
