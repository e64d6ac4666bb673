/** The types of a request to an operation and of its response, as tests vary and read them. */
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId } from '../../../spec/operations.ts';
import type { RunningMock } from '../../start-mock.ts';

/** What a client needs to know of a mock, which may run in another process. */
export type MockAccess = Pick<RunningMock, 'addresses' | 'target'>;

export interface OperationRequest {
  readonly method: string;
  /** URL-encoded values by parameter name. */
  readonly path: Readonly<Record<string, string>>;
  /** URL-encoded, without the question mark. */
  readonly query: string;
  /** Undefined leaves one out. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | Uint8Array | null;
}

/** What of a request is otherwise; headers and path values that are not named stay. */
export type Change = Partial<OperationRequest>;

export interface OperationResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Undefined: a stream that may not end, left after its head. */
  readonly text: string | undefined;
}

/** Sends the valid request of an operation, with these changes one after the other. */
export type SendOperation = (id: OperationId, ...changes: readonly Change[]) => Promise<OperationResponse>;
