/** Refuses requests with no, several or malformed host names (RFC 9112 3.2), with a body: node:http would send an empty response. */
import type { IncomingMessage, RequestListener } from 'node:http';

/** For a server with `requireHostHeader: false`. */
export const requireHost =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    const message = describeHostProblem(request);
    if (message === undefined) return handle(request, response);
    const body = JSON.stringify({ error: 'malformed_request', code: 400, message });
    response
      .writeHead(400, {
        connection: 'close',
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      })
      .end(body);
  };

/** `rawHeaders` has names at even indices. */
const isHostName = (text: string, index: number): boolean =>
  text.length === 4 && index % 2 === 0 && text.toLowerCase() === 'host';

/** A name or address with an optional port; may be empty. */
const validHost = /^(?:[\w.~%!$&'()*+,;=-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Proxies and the mock could otherwise read different hosts. HTTP/1.0 needs none. */
function describeHostProblem({ httpVersion, headers, rawHeaders, url = '' }: IncomingMessage): string | undefined {
  const { host } = headers;
  if (host === undefined) return httpVersion === '1.1' ? 'The Host header is missing.' : undefined;
  if (rawHeaders.filter(isHostName).length > 1) return 'There is more than one Host header.';
  if (!validHost.test(host)) return 'The Host header is not a host name with an optional port.';
  const authority = /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority === undefined || authority.toLowerCase() === host.toLowerCase()) return undefined;
  return 'The URL and the Host header name different hosts.';
}
