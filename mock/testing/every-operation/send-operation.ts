/** Sends requests to the operations of a running mock. */
import { Pool } from 'undici';
import type { OperationId } from '../../../spec/operations.ts';
import { changed, requestTo, urlOf } from './operation-request.ts';
import type { Change, MockAccess, OperationRequest, OperationResponse, SendOperation } from './request-types.ts';
import { validRequests, type ValidRequest } from './valid-requests.ts';

export interface OperationSender {
  readonly sendValid: SendOperation;
  /** The request to send. Creates what it needs first. */
  readonly prepare: (id: OperationId, ...changes: readonly Change[]) => Promise<OperationRequest>;
  readonly send: (id: OperationId, request: OperationRequest) => Promise<OperationResponse>;
  /** Sends a request to the mock's control API below `/_mock`. */
  readonly callControl: (method: 'GET' | 'POST', path: string) => Promise<OperationResponse>;
  readonly close: () => Promise<void>;
}

/** A request without a response fails its test. */
const RESPONSE_TIMEOUT_MS = 60_000;

export function operationSender(mock: MockAccess): OperationSender {
  const pool = new Pool(mock.addresses.host, { headersTimeout: RESPONSE_TIMEOUT_MS });
  const send: OperationSender['send'] = (id, request) => exchange(pool, urlOf(mock, id, request), request);
  const prepare: OperationSender['prepare'] = async (id, ...changes) => {
    const { before }: ValidRequest = validRequests[id];
    const usual = requestTo(id, mock.target.credentials.admin.value);
    return [(await before?.(sendValid)) ?? {}, ...changes].reduce(changed, usual);
  };
  const sendValid: SendOperation = async (id, ...changes) => send(id, await prepare(id, ...changes));
  return {
    sendValid,
    prepare,
    send,
    callControl: (method, path) => exchange(pool, `/_mock${path}`, { method, headers: {}, body: null }),
    close: () => pool.destroy(),
  };
}

async function exchange(
  pool: Pool,
  path: string,
  { method, headers: sent, body: bytes }: Pick<OperationRequest, 'method' | 'headers' | 'body'>,
): Promise<OperationResponse> {
  const { statusCode: status, headers, body } = await pool.request({ path, method, headers: sent, body: bytes });
  if (status >= 400 || headers['transfer-encoding'] === undefined) return { status, headers, text: await body.text() };
  body.on('error', () => {}).destroy();
  return { status, headers, text: undefined };
}
