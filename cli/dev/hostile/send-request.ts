/** Sends HTTP requests over shared connections, and describes them as curl commands. */
import { errors, Pool } from 'undici';
import { curlLine } from '../../../spec/curl.ts';
import { DEADLINE_MS, PRINTED_ADDRESS, type AttackedMock, type Outcome } from './attack.ts';

export interface HttpRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string | Uint8Array | null;
}

export interface RequestSender {
  /** Without `deadlineMs`, a request without a response hangs. */
  readonly send: (request: HttpRequest, deadlineMs?: number) => Promise<Outcome>;
  readonly close: () => Promise<void>;
}

export function requestSender({ port }: AttackedMock, connections: number): RequestSender {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, bodyTimeout: DEADLINE_MS });
  return {
    send: async (request, deadlineMs) => {
      try {
        return { statuses: [await statusOf(pool, request, deadlineMs)], hangs: false, isClosed: false };
      } catch (error) {
        const isLate = error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError;
        return { statuses: [], hangs: isLate && deadlineMs === undefined, isClosed: true };
      }
    },
    close: () => pool.destroy(),
  };
}

/** Reads the whole response, unless it is a stream that may not end. */
async function statusOf(pool: Pool, { method, url, headers, body }: HttpRequest, deadlineMs?: number): Promise<number> {
  const options = { method, path: url, headers: { ...headers }, body, headersTimeout: deadlineMs ?? DEADLINE_MS };
  const response = await pool.request(options);
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  if (response.headers['transfer-encoding'] !== undefined && !isJson) {
    response.body.on('error', () => {}).destroy();
    return response.statusCode;
  }
  // The connection is left after this many bytes.
  await response.body.dump({ limit: 64 * 2 ** 20 });
  return response.statusCode;
}

export function curlOf({ method, url, headers, body }: HttpRequest): string {
  const present = Object.entries(headers).filter(([, value]) => value !== undefined) as [string, string | string[]][];
  const isBytes = body instanceof Uint8Array;
  return curlLine(
    {
      method,
      url: `http://${PRINTED_ADDRESS.host}:${PRINTED_ADDRESS.port}${url}`,
      headers: Object.fromEntries(present),
      ...(body !== null && { body: isBytes ? Buffer.from(body).toString('latin1') : body }),
      ...(isBytes && { bytes: true }),
    },
    new Set(),
  );
}
