/** Refuses other host names on a loopback address, because any website can point a host name at this machine (DNS rebinding). */
import type { RequestListener } from 'node:http';
import { isLoopback } from '../../spec/network/loopback.ts';

/** Forwarded requests have the target's name in Host, so a mock behind the proxy could not check this itself. */
export function requireLoopbackNames(listener: RequestListener): RequestListener {
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
