/** The headers of a forwarded request. */
import type { IncomingMessage } from 'node:http';
import type { RawHeaders } from './end-to-end.ts';
import { endToEnd, valuesOf } from './end-to-end.ts';

/** Safe methods (RFC 9110 9.2.1). */
export const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** RFC 9112 6.3. */
export function carriesBody(headers: RawHeaders): boolean {
  const isChunked = valuesOf(headers, 'transfer-encoding').length > 0;
  return isChunked || valuesOf(headers, 'content-length').some((length) => Number(length) > 0);
}

export function onwardHeaders({ method = '', rawHeaders }: IncomingMessage, host: string): string[] {
  const isChunked = valuesOf(rawHeaders, 'transfer-encoding').length > 0;
  const hasLength = valuesOf(rawHeaders, 'content-length').length > 0;
  return [
    'Host',
    host,
    // This server has already sent 100 Continue.
    ...endToEnd(rawHeaders, ['host', 'expect']),
    ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
    // Otherwise Node would send an empty chunked body.
    ...(isChunked || hasLength || isSafe(method) || method === 'DELETE' ? [] : ['Content-Length', '0']),
    'Via',
    '1.1 assay', // RFC 9110 7.6.3
  ];
}
