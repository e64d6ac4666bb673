/** Refuses requests of HTTP/1.1 without a Host header (RFC 9112 3.2), with a body: node:http would send an empty response. */
import type { RequestListener } from 'node:http';

const BODY = JSON.stringify({ error: 'malformed_request', code: 400, message: 'The Host header is missing.' });

/** For a server with `requireHostHeader: false`. */
export const requireHost =
  (handle: RequestListener): RequestListener =>
  (request, response) => {
    if (request.headers.host !== undefined || request.httpVersion !== '1.1') return handle(request, response);
    response.writeHead(400, { connection: 'close', 'content-type': 'application/json; charset=utf-8' }).end(BODY);
  };
