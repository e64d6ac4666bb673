/** For tests: an HTTPS server on a free port with the certificate of the test authority. */
import { readFileSync } from 'node:fs';
import https from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ca, server as own } from '../../fixtures/tls/index.ts';

export interface TlsServer extends AsyncDisposable {
  readonly port: number;
}

/** `requestCert`: refuses clients without a certificate of the test authority. */
export async function tlsServer(listener: RequestListener, requestCert = false): Promise<TlsServer> {
  const [cert, key, authority] = [own.cert, own.key, ca].map((file) => readFileSync(file, 'utf8'));
  const server = https.createServer({ cert, key, ca: authority, requestCert }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
