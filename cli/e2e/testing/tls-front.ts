/** For tests: an HTTPS server in front of an HTTP one. It requires a client certificate of the test authority. */
import http from 'node:http';
import { tlsServer } from '../../../suites/testing/tls-server.ts';
import type { TlsServer } from '../../../suites/testing/tls-server.ts';

export const tlsFront = (origin: string): Promise<TlsServer> =>
  tlsServer((request, response) => {
    const { url: path, method, headers } = request;
    const onward = http.request(origin, { path, method, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 0, incoming.headers);
      incoming.pipe(response);
    });
    request.pipe(onward);
  }, true);
