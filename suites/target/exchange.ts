/** A request and its response. Secrets of the request are already redacted. */
import type { Surface } from '../../spec/openapi-document.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Finding } from '../../spec/validators.ts';

export interface SentRequest {
  method: string;
  url: string;
  /** Names as sent. An array is sent as one header line per element. */
  headers: Record<string, string | string[]>;
  body?: string;
  /** The body is not valid UTF-8: `body` has one character per byte. */
  bytes?: true;
}

export interface HttpResponse {
  status: number;
  /** Lower-case names; repeated lines are joined with ", ". */
  headers: Record<string, string>;
  text: string;
  /** The connection was closed before the body had ended. */
  isCut?: true;
  /** Undefined if the body is not JSON. A large one may be parsed again for each use. */
  readonly json: unknown;
}

/** Why a request was sent again: its connection broke, or a status 5xx. */
export type Unprocessed = 'no response' | number;

export interface Exchange {
  surface: Surface;
  /** Absent for requests made with `send`. */
  operation?: OperationId;
  /** The variable name of the target's credential that the request carried unchanged. Absent for any other credential or none. */
  credential?: string;
  request: SentRequest;
  response: HttpResponse;
  /** How the response differs from its schema. Empty if it matches or the operation is unknown. */
  shape: readonly Finding[];
  /** When the request was sent, in milliseconds since the epoch. Absent if a recording does not say. */
  sentAt?: number | undefined;
  durationMs: number;
  /** Another write to the same path was sent before the response arrived, so the response may show the effect of either. */
  isConcurrent?: boolean;
  /** What the attempts before the last one got. Empty if there was only one, or if a recording does not say. */
  repeatedAfter: readonly Unprocessed[];
}

export const wasRepeated = ({ repeatedAfter }: Pick<Exchange, 'repeatedAfter'>): boolean => repeatedAfter.length > 0;
