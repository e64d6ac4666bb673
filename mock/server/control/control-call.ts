/** What a call of `/_mock` is: a function from what was asked to a reply, and what its body may say. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../../http/reply.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import type { Worlds } from './worlds.ts';

export interface ControlRequest<Body = unknown> {
  readonly worlds: Worlds;
  /** The world below whose address the call was made. */
  readonly served: ServedWorld;
  /** Of the path, by name. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Fits the schema. */
  readonly body: Body;
}

export interface ControlCall<Body = never> {
  readonly body?: BodySchema;
  /** Whatever else it throws than a Problem is a fault of the mock. */
  readonly handle: (request: ControlRequest<Body>) => Reply | Promise<Reply>;
}

/** Absent where no body is read. */
export interface BodySchema {
  /** JSON Schema. */
  readonly schema: object;
  /** May be left out; the call then gets an empty object. */
  readonly optional?: true;
  readonly limitBytes?: number;
  readonly limitDepth?: number;
}
