/** For tests: an HTTP proxy on a free port that connects every host name to this machine. */
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface LocalProxy extends AsyncDisposable {
  /** http://127.0.0.1:port */
  readonly address: string;
  /** Such as `CONNECT target.example:443`, or `GET http://target.example/`. */
  readonly received: readonly string[];
}

/** `authorization`: the expected Proxy-Authorization; other requests get status 407. */
export async function localProxy(authorization?: string): Promise<LocalProxy> {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const isAllowed = ({ headers }: http.IncomingMessage): boolean =>
    authorization === undefined || headers['proxy-authorization'] === authorization;

  const server = http.createServer((request, response) => {
    const { method, url = '', headers } = request;
    received.push(`${method} ${url}`);
    if (!isAllowed(request)) return void response.writeHead(407).end();
    const { port, pathname, search } = new URL(url);
    const onward = http.request({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 0, incoming.rawHeaders);
      incoming.pipe(response);
    });
    onward.once('error', () => response.writeHead(502).end());
    request.pipe(onward);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, client: Socket) => {
    received.push(`CONNECT ${request.url}`);
    client.on('error', () => {});
    if (!isAllowed(request)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const target = net.connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    sockets.add(target);
    target.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
