/** What cases pass to a client: calls of operations, raw requests, and the caller. */
import type { Surface } from '../../spec/documents.ts';

/** undefined takes a header away that would be sent otherwise; a list is sent as one line each. */
export type HeaderInput = Record<string, string | string[] | undefined>;

export interface CallInput {
  /** Percent-encoded; accountId and workspace come from the target where they are left out. */
  path?: Record<string, string>;
  query?: Record<string, string | number | undefined> | readonly (readonly [string, string])[];
  /** Sent as JSON; undefined: no body. */
  body?: unknown;
  headers?: HeaderInput;
}

export interface RawRequest {
  surface: Surface;
  method: string;
  /** Below the surface's address, with the query; sent as it is. */
  path: string;
  headers?: HeaderInput;
  body?: string | Uint8Array;
}

/** Who calls: what stands behind "Authorization: Bearer"; none: no credential at all. */
export interface Caller {
  bearer?: string;
  /** An API key's creating calls carry the workspace header. */
  isApiKey?: boolean;
  /** Which credential of the target that is; left out for a token that the run made up or altered. */
  credential?: CallerCredential;
}

export interface CallerCredential {
  /** Of the variable that stands for it. */
  name: string;
  /** Whether 401 for ever would mean that it no longer lets anyone in: a credential that may do nothing here may get only that. */
  canAuthenticate: boolean;
}
