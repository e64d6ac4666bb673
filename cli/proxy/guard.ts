/** Closes a proxy on a loopback address to other host names: a page of any site can point a name of its own at this machine. */
import type { RequestListener } from 'node:http';
import { isLoopback } from '../../mock/http/loopback.ts';

/** What it forwards has the target's name in Host, so that a mock behind it could not tell. */
export function forLoopbackNames(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { host = '' } = request.headers;
    const name = URL.parse(`http://${host}`)?.hostname ?? host;
    if (isLoopback(name)) return listener(request, response);
    const message = `The proxy is closed to the host name ${JSON.stringify(name)}; call it by a loopback address.`;
    response
      .writeHead(403, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ error: 'forbidden', code: 403, message }));
  };
}
