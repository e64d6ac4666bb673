/** For tests: a local server on a free port whose responses come from a function. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
  /** Of the client. */
  port: number | undefined;
}

export interface LocalResponse {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, bytes as they are. */
  body?: unknown;
}

export interface LocalServer extends AsyncDisposable {
  /** http://127.0.0.1:port */
  address: string;
  port: number;
  /** Every request so far, in order. */
  received: ReceivedRequest[];
}

/** 'break' closes the connection without a response. */
type Response = LocalResponse | 'break';

export async function localServer(
  respond: (received: ReceivedRequest) => Response | Promise<Response>,
  /** 0: a free one. */
  onPort = 0,
): Promise<LocalServer> {
  const received: ReceivedRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request;
      const body = Buffer.concat(chunks).toString();
      const one = { method, url, headers, rawHeaders, body, port: request.socket.remotePort };
      received.push(one);
      const result = respond(one);
      if (result instanceof Promise) void result.then((later) => reply(response, later));
      else reply(response, result);
    });
  });
  return { ...(await listening(server, onPort)), received };
}

/** For responses that a function cannot return, such as streams. `onPort`: 0 for a free one. */
export async function listening(
  server: http.Server,
  onPort = 0,
): Promise<Pick<LocalServer, 'address' | 'port'> & AsyncDisposable> {
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function reply(response: http.ServerResponse, planned: LocalResponse | 'break'): void {
  if (planned === 'break') {
    response.destroy();
    return;
  }
  const { status = 200, headers = {}, body } = planned;
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  response
    .writeHead(status, {
      ...(typeof body === 'object' && !isRaw ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    })
    .end(isRaw ? body : JSON.stringify(body));
}
