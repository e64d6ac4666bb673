/** A response before it is written: status, body and headers. */
import type { Readable } from 'node:stream';

export interface Reply<Body = unknown> {
  readonly status: number;
  /** Serialized as JSON; a string or bytes are sent as they are; a stream is piped, and destroyed when the client disconnects. */
  readonly body: Body | string | Uint8Array | Readable;
  /** Names in lower case; an empty content-type means none. */
  readonly headers?: Readonly<Record<string, string>>;
}

export function ok<Body>(body: Body): Reply<Body> {
  return { status: 200, body };
}
