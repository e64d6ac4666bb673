/** The type of `/_mock` calls: functions from a request to a reply, with the format of their body. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from '../../http/reply.ts';
import type { ServedWorld } from '../../pipeline/served-world.ts';
import type { Worlds } from './worlds.ts';

export interface ControlRequest<Body = unknown> {
  readonly worlds: Worlds;
  /** The world whose `/_mock` was called. */
  readonly served: ServedWorld;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** By name. */
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** Names of query parameters; `ignored`: a page, which browsers may open with any. Default: none. */
type QueryNames = readonly string[] | 'ignored';

export interface ControlCall<Body = undefined> {
  /** Whether the response may be so large that it is serialized and sent in pieces. */
  readonly isLarge?: true;
  readonly query?: QueryNames;
  /** Absent if no body is read. */
  readonly body?: BodyFormat<Body>;
  /** May throw a Problem; any other error is a bug of the mock. */
  readonly handle: (request: ControlRequest<Body>) => Reply | Promise<Reply>;
}

/** A call with any type of body. Pass `handle` only what `body.parse` returned. */
export interface AnyControlCall {
  readonly isLarge?: true;
  readonly query?: QueryNames;
  readonly body?: BodyFormat<unknown>;
  readonly handle: (request: ControlRequest<never>) => Reply | Promise<Reply>;
}

export interface BodyFormat<Body> {
  /** Returns a valid body; throws a 400 problem for any other value. */
  readonly parse: (value: unknown) => Body;
  /** For the OpenAPI document of `/_mock`. */
  readonly jsonSchema: () => object | Promise<object>;
  /** Whether the body may be empty; it then counts as an empty object. */
  readonly optional?: true;
  readonly limitBytes?: number;
  readonly limitDepth?: number;
  /** Whether it contains a whole world, so that the number of its values has no limit. */
  readonly isWorld?: true;
}
