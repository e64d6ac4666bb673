/** Starts servers made with published packages, and a proxy in front of them. */
import { spawn } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface Route {
  readonly port: number;
  /** With the query. */
  readonly path: string;
  /** Replaces headers of the request. */
  readonly headers?: http.OutgoingHttpHeaders;
  readonly onBody?: (text: string) => void;
}

/** Serves each request with what its route leads to on this machine. */
export async function startProxy(
  routeOf: (request: http.IncomingMessage) => Route,
): Promise<Disposable & { readonly port: number; readonly address: string }> {
  const proxy = http.createServer((request, response) => {
    const { port, path: to, headers, onBody } = routeOf(request);
    const sent = { ...request.headers, ...headers, host: `127.0.0.1:${port}` };
    const options = { host: '127.0.0.1', port, path: to, method: request.method, headers: sent };
    const onward = http.request(options, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      response.flushHeaders();
      if (onBody !== undefined) void received.toArray().then((pieces) => onBody(Buffer.concat(pieces).toString()));
      received.pipe(response);
    });
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const close = () => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { port, address: `http://127.0.0.1:${port}`, [Symbol.dispose]: close };
}

async function freePort(): Promise<number> {
  using proxy = await startProxy(() => ({ port: 0, path: '/' }));
  return proxy.port;
}

/**
 * Runs node with these words, in which PORT is replaced by a free port, and resolves when the server responds to anything.
 * Rejects after a minute, or if the program ends.
 */
export async function startServer(
  cwd: string,
  words: readonly string[],
): Promise<Disposable & { readonly port: number }> {
  const port = await freePort();
  const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH'] ?? ''}`;
  const command = words.map((word) => (word === 'PORT' ? String(port) : word));
  const env = { ...process.env, PATH, PORT: String(port) };
  const server = spawn(process.execPath, command, { cwd, stdio: 'ignore', env });
  for (let tries = 0; tries < 300 && server.exitCode === null; tries += 1)
    try {
      const response = await fetch(`http://127.0.0.1:${port}/`);
      await response.body?.cancel();
      return { port, [Symbol.dispose]: () => void server.kill('SIGKILL') };
    } catch {
      await wait(200);
    }
  server.kill('SIGKILL');
  throw new Error(`node ${command.join(' ')} does not serve.`);
}
