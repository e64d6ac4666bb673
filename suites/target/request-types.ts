/** What cases pass to a client: calls of operations, raw requests, and the caller. */
import type { Surface } from '../../spec/openapi-document.ts';

/** Undefined removes a default header. An array is sent as one line per element. */
export type HeaderInput = Record<string, string | string[] | undefined>;

export interface CallInput {
  /** Values are percent-encoded. accountId and workspace default to the target's. */
  path?: Record<string, string>;
  /** Also percent-encodes the slashes of the parameter `path`. */
  encodesSlashes?: boolean;
  query?: Record<string, string | number | undefined> | readonly (readonly [string, string])[];
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  headers?: HeaderInput;
}

export interface RawRequest {
  surface: Surface;
  method: string;
  /** Relative to the surface's address, with the query. Sent unchanged. */
  path: string;
  headers?: HeaderInput;
  body?: string | Uint8Array;
}

/** The bearer token. Omitted: no credential. */
export interface Caller {
  bearer?: string;
  /** Creates with an API key carry the workspace header. */
  isApiKey?: boolean;
  /** The target's credential. Omitted for an invented or altered token. */
  credential?: CallerCredential;
}

export interface CallerCredential {
  /** The name of its variable. */
  name: string;
  /** How messages name it. */
  source: string;
  /** Whether repeated 401 means that it is no longer valid. A credential without permissions may always get 401. */
  canAuthenticate: boolean;
}

/** A request as it is sent. */
export interface WireRequest {
  method: string;
  origin: string;
  /** Includes the query; sent unchanged. */
  path: string;
  headers: Record<string, string | string[]>;
  body?: string | Uint8Array;
  /** Whether a workload or sandbox responds, which may have no instance. Defaults to false. */
  isOfWorkload?: boolean;
}
