/** Converts between a call of the mock and the Request and Response of the MCP SDK. */
import { Readable } from 'node:stream';
import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from '../../../spec/operations.ts';
import type { Reply } from '../../http/reply.ts';
import type { Credential } from '../../state/accounts.ts';
import type { Addresses } from '../../state/addresses.ts';
import type { LiveServer } from './live-server.ts';

export interface McpCall {
  readonly operation: Operation;
  readonly world: { readonly addresses: Addresses };
  readonly headers: IncomingHttpHeaders;
  /** Called when the client disconnects. */
  readonly onLeave: (release: () => void) => void;
  /** The parsed body. */
  readonly body: unknown;
  readonly credential: Credential;
}

/** Connection-specific headers (RFC 9110 7.6.1) and those that the mock sets itself. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export async function exchange(call: McpCall, server: LiveServer): Promise<Reply<never>> {
  return replyOf(await server.handle(requestOf(call), call.body, call.credential.caller.id));
}

/** Without the body, which has been parsed already. */
function requestOf({ operation, world, headers, onLeave }: Omit<McpCall, 'body' | 'credential'>): Request {
  const left = new AbortController();
  onLeave(() => left.abort());
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || OWN_HEADERS.has(name) ? [] : [[name, String(value)]],
  );
  return new Request(world.addresses.host + operation.path.replaceAll(/[{}]/g, ''), {
    method: operation.method,
    headers: sent,
    signal: left.signal,
  });
}

async function replyOf({ status, headers, body }: Response): Promise<Reply<never>> {
  const forwarded = Object.fromEntries([...headers].filter(([name]) => !OWN_HEADERS.has(name)));
  if (body === null) return { status, headers: forwarded, body: '' };
  const stream = Readable.fromWeb(body);
  if (forwarded['content-type']?.startsWith('text/event-stream')) return { status, headers: forwarded, body: stream };
  return { status, headers: forwarded, body: Buffer.concat(await stream.toArray()) };
}
