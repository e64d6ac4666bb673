/** A conforming deployment that refuses more than another: a proxy in front of a server, which turns what the deployment does not accept into a mistake that the server refuses. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { isFields } from '../../../suites/json/fields.ts';

export type Fields = Record<string, any>;

export interface PickyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
}

/** Whether the deployment refuses an otherwise valid write of the management API, or another request with a JSON body. */
export type Refuses = (body: Fields, request: PickyRequest) => boolean;

export interface PickyTarget extends AsyncDisposable {
  readonly target: TargetFile;
  readonly refusedCount: () => number;
}

/** All addresses of the target are those of the proxy. */
export async function pickyTarget(
  inner: TargetFile,
  refuses: Refuses,
  { createStatus = 422 }: { createStatus?: number } = {},
): Promise<PickyTarget> {
  const fronts: http.Server[] = [];
  let refusedCount = 0;
  const frontOf = async (inside: string): Promise<string> => {
    const server = http.createServer(async (request, response) => {
      const { method = '', url = '', headers } = request;
      const sent = await text(request);
      const body = parsed(sent);
      const [path = ''] = url.split('?', 1);
      const isWrite = body !== undefined && (method === 'POST' || method === 'PUT') && path.includes('/v0/');
      const isPicky = body !== undefined && (!isWrite || isRefusable(body)) && refuses(body, { method, path, headers });
      const isRefused = isPicky && isWrite;
      if (isRefused) refusedCount += 1;
      const forwarded = isRefused ? JSON.stringify(broken(body, method)) : sent;
      const { 'transfer-encoding': _, ...kept } = headers;
      const length = forwarded === '' ? {} : { 'content-length': String(Buffer.byteLength(forwarded)) };
      const onward = http.request(new URL(url, inside), { method, headers: { ...kept, ...length } });
      onward.on('response', (received) => {
        const isTranslated = isRefused && method === 'POST' && received.statusCode === 400;
        if (isPicky && !isWrite && received.statusCode === 200) {
          refusedCount += 1;
          received.resume();
          const refusal = JSON.stringify({ code: 400, error: 'bad_request', message: 'Not allowed here.' });
          response.writeHead(400, { 'content-type': 'application/json' }).end(refusal);
          return;
        }
        response.writeHead(isTranslated ? createStatus : (received.statusCode ?? 0), received.headers);
        received.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end(forwarded);
    });
    fronts.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  let json = JSON.stringify(inner);
  const origins = new Set(json.match(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g));
  for (const origin of origins) json = json.replaceAll(origin, await frontOf(origin));
  return {
    target: JSON.parse(json) as TargetFile,
    refusedCount: () => refusedCount,
    async [Symbol.asyncDispose]() {
      for (const server of fronts) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

const isRefusable = (body: Fields): boolean => isFields(body['metadata']) && isFields(body['spec']);

/** What no server accepts. */
const broken = ({ metadata, spec }: Fields, method: string): object =>
  method === 'PUT' ? { metadata, spec: { ...spec, enabled: 'refused' } } : { metadata, spec: 5 };

function parsed(body: string): Fields | undefined {
  try {
    const json: unknown = JSON.parse(body);
    return isFields(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
