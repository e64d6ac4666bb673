/** Forwards a request to the real server that the mock was started with, for paths that it does not serve itself. */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { invalidField, upstreamFailed, upstreamIsMock } from '../http/problems.ts';
import { readBytes } from '../http/read-bytes.ts';
import type { Reply } from '../http/reply.ts';
import type { Context } from './context.ts';
import { basePathOf } from '../../spec/network/base-path.ts';
import type { Connections } from '../../spec/network/connections.ts';

/** Of all mocks of this process. */
let connections: Connections | undefined;

/** Part of the names in `Via`. */
const PROCESS = randomUUID();

/** RFC 9110 7.6.1, and what undici sets. */
export const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
];

/**
 * Resolves to the response as it is, with a body that is streamed. All headers are forwarded, credentials included. Rejects with a 502 problem if the
 * server does not respond, and with a 508 problem if it forwards the request back. `upstream`: an address without a slash at its
 * end. `path`: in place of that of the request, which then has the body `{}` if it has one.
 */
export async function forward(ctx: Context, upstream: string, path?: string): Promise<Reply> {
  const { createConnections } = await import('../../spec/network/connections.ts'); // Only here: few mocks have an upstream.
  connections ??= createConnections({});
  const { method, url, req } = ctx;
  // An absolute target (RFC 9112 3.2.2) could name another server.
  if (!url.startsWith('/')) throw invalidField('the request target', url, 'a path that starts with /');
  const name = nameOf(ctx);
  if (req.headers.via?.includes(name) === true) throw upstreamIsMock(upstream);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const isProbe = path !== undefined;
  const hasContent = req.headers['content-type'] !== undefined;
  const body = !hasBody ? undefined : isProbe ? (hasContent ? '{}' : '') : await readBytes(req);
  const clientGone = new AbortController();
  ctx.res.once('close', () => clientGone.abort());
  try {
    const { origin } = new URL(upstream);
    const response = await connections.to(origin).request({
      origin,
      path: basePathOf(upstream) + (path ?? url),
      method,
      headers: {
        ...endToEndHeaders(req.headers),
        // A server may refuse a body that is none of its type before it looks for the path.
        ...(isProbe && hasContent && { 'content-type': 'application/json', 'content-encoding': undefined }),
        via: [req.headers.via ?? [], `1.1 ${name}`].flat().join(', '),
      },
      signal: clientGone.signal,
      ...(body !== undefined && body.length > 0 && { body }),
    });
    // Set-Cookie is a list, which node:http sends as several fields.
    const length = method === 'HEAD' ? response.headers['content-length'] : undefined;
    const headers = {
      'content-type': '',
      ...endToEndHeaders(response.headers),
      ...(length !== undefined && { 'content-length': length }),
    } as unknown as Record<string, string>;
    return { status: response.statusCode, headers, body: response.body };
  } catch (error) {
    throw upstreamFailed(upstream, error as Error & { code?: string });
  }
}

/** In `Via` (RFC 9110 7.6.3), which shows that a request comes back; others may also be mocks of this process. */
function nameOf({ state }: Context): string {
  return `assay-${state.world.mount.port}-${PROCESS}`;
}

function endToEndHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const connectionHeaders = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name) && !connectionHeaders.includes(name)),
  );
}
