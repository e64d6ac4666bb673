/** A server that forwards every request to one origin and streams the response back, and reports each exchange when it ends. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { SecureContext } from 'node:tls';
import { ADDRESS_TIMEOUT_MS } from '../../spec/network/connections.ts';
import { proxyFor } from '../../spec/network/proxy-for.ts';
import { lookup } from '../../suites/target/loopback.ts';
import type { BodyCopy, CopyBudget, HeldCopy } from './body-copy.ts';
import { copyOf, createCopyBudget, INCOMPLETE_BODY } from './body-copy.ts';
import type { RawHeaders } from './end-to-end.ts';
import { endToEnd } from './end-to-end.ts';
import { carriesBody, isSafe, onwardHeaders } from './onward-headers.ts';

export interface ForwardedExchange {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: RawHeaders;
  /** INCOMPLETE_BODY if the client disconnected, or the response ended, before the whole body was received. */
  readonly body: BodyCopy;
  /** Absent if there was none. */
  readonly response?: ForwardedResponse;
  /** Why the target sent no complete response. Absent if it did, or if the client disconnected before. */
  readonly failure?: string;
}

/** With its place in time. */
export interface EndedExchange extends ForwardedExchange {
  /** In the order in which the requests were received. */
  readonly number: number;
  /** When the request was received and when its response ended, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface ForwardedResponse {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: BodyCopy;
  /** False if client or target aborted it. */
  readonly isComplete: boolean;
}

/** Headers of one request or response. */
export const MAX_HEADER_BYTES = 64 * 1024;

export interface Forwarding {
  readonly listener: RequestListener;
  /**
   * Closes the connections to the target and waits until every exchange is reported. Exchanges aborted now are not
   * failures of the target.
   */
  readonly close: () => Promise<void>;
}

export interface ForwardOptions {
  /** Certificates and keys of connections to the target. */
  readonly secureContext?: SecureContext | undefined;
  /** Shared with other origins. Beyond it, bodies are forwarded without a copy. */
  readonly copies?: CopyBudget;
  /** Called when a request is received, with its path. Returns its number. Defaults to a counter of this origin. */
  readonly begin?: (method: string, path: string) => number;
}

/** Throws InvalidInput for an invalid proxy variable. */
export function forwardTo(
  origin: string,
  report: (exchange: EndedExchange) => void,
  { secureContext, copies = createCopyBudget(), begin = createCounter() }: ForwardOptions = {},
): Forwarding {
  const upstream = { ...upstreamOf(origin, secureContext), copies };
  const open = new Set<ServerResponse>();
  let isClosing = false;
  return {
    listener(request, response) {
      open.add(response);
      const [number, startedAt] = [begin(request.method ?? 'GET', request.url ?? '/'), Date.now()];
      forward(request, response, upstream, ({ failure, ...rest }) => {
        open.delete(response);
        const exchange = { ...rest, number, startedAt, endedAt: Date.now() };
        report(failure === undefined || isClosing ? exchange : { ...exchange, failure });
      });
    },
    async close() {
      isClosing = true;
      upstream.kept.destroy();
      upstream.once.destroy();
      for (const response of open) await once(response, 'close');
    },
  };
}

function createCounter(): () => number {
  let count = 0;
  return () => (count += 1);
}

interface Upstream {
  readonly url: URL;
  readonly client: typeof http | typeof https;
  readonly copies: CopyBudget;
  readonly kept: http.Agent;
  /**
   * Uses a new connection for each request without `Connection: close`, because a target that closes early may lose its
   * response to an upload.
   */
  readonly once: http.Agent;
}

function upstreamOf(origin: string, secureContext: SecureContext | undefined): Omit<Upstream, 'copies'> {
  const url = new URL(origin);
  const client = url.protocol === 'https:' ? https : http;
  const proxy = proxyFor(origin)?.href;
  const options = {
    keepAlive: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    ...(secureContext && { secureContext }),
    ...(proxy !== undefined && { proxyEnv: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy } }),
  };
  const agent = (): http.Agent => new client.Agent(options);
  // As an option, 0 means Node's default.
  return { url, client, kept: agent(), once: Object.assign(agent(), { maxFreeSockets: 0 }) };
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  report: (exchange: ForwardedExchange) => void,
): void {
  const { method = '', url = '', rawHeaders: headers } = request;
  const body = copyOf(request, upstream.copies);
  let received: (Omit<ForwardedResponse, 'isComplete'> & { body: HeldCopy }) | undefined;
  let failure: string | undefined;
  let complete = () => false;

  const onResponse = (incoming: IncomingMessage): void => {
    const { statusCode = 0, statusMessage, rawHeaders } = incoming;
    response.sendDate = false;
    try {
      if (statusCode === 101) throw new Error(UNREQUESTED_UPGRADE);
      response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
    } catch (error) {
      incoming.destroy();
      return onFailure(describeUnforwardable((error as Error).message));
    }
    received = { status: statusCode, headers: rawHeaders, body: copyOf(incoming, upstream.copies) };
    complete = () => incoming.complete;
    incoming.once('error', ({ message }) => {
      failure ??= `the response was aborted: ${message}`;
      response.destroy(); // As the target did.
    });
    // The head at once, for a stream may begin with silence; flushHeaders would make UTF-8 of its bytes.
    response.write(Buffer.alloc(0));
    incoming.pipe(response);
  };
  const onFailure = (why: string): void => {
    if (response.destroyed || received !== undefined || failure !== undefined) return;
    failure = why;
    refuse(response, `${upstream.url.origin} returned ${why}.`);
  };
  const stop = send(request, upstream, onResponse, onFailure);
  response.once('close', () => {
    if (!response.writableFinished) stop(); // The client has left.
    report({
      method,
      url,
      headers,
      body: request.complete && request.readableLength === 0 ? body : INCOMPLETE_BODY,
      ...(received && { response: { ...received, isComplete: response.writableFinished && complete() } }),
      ...(failure !== undefined && { failure }),
    });
    body.release();
    received?.body.release();
  });
}

const UNREQUESTED_UPGRADE = 'status 101, which was not requested';
const describeUnforwardable = (why: string): string => `a response that cannot be forwarded (${why})`;

/** Error codes of Node's HTTP parser start with HPE. */
const describeNoResponse = ({ code, message }: NodeJS.ErrnoException): string =>
  code?.startsWith('HPE_') === true ? describeUnforwardable(`${code}: ${message}`) : `no response (${code ?? message})`;

/** Returns a function that ends it. Calls `onFailure` with the reason. */
function send(
  request: IncomingMessage,
  { url, client, ...agents }: Upstream,
  onResponse: (incoming: IncomingMessage) => void,
  onFailure: (why: string) => void,
): () => void {
  const { method = '', url: path, rawHeaders } = request;
  const hasBody = carriesBody(rawHeaders);
  const { protocol, hostname, port } = url;
  const headers = onwardHeaders(request, url.host);
  const host = hostname.replace(/^\[|\]$/g, '');
  const where = { protocol, hostname: host, port, path, method, headers, lookup, maxHeaderSize: MAX_HEADER_BYTES };
  let isOver = false;
  let onward: http.ClientRequest | undefined;
  try {
    // A reused connection may have been closed, and only requests without effect and body could then be retried.
    onward = sentBy(isSafe(method) && !hasBody ? agents.kept : agents.once);
  } catch (error) {
    onFailure(`no response, because the request cannot be forwarded (${(error as Error).message})`);
  }
  return () => {
    isOver = true;
    onward?.destroy();
  };

  function sentBy(agent: http.Agent): http.ClientRequest {
    const sent = client.request({ ...where, agent });
    sent.once('response', (incoming) => {
      isOver = true;
      onResponse(incoming);
    });
    sent.once('upgrade', (_, socket) => {
      isOver = true;
      socket.destroy();
      onFailure(describeUnforwardable(UNREQUESTED_UPGRADE));
    });
    sent.on('error', (error) => {
      if (sent.reusedSocket && !isOver) onward = sentBy(agents.once);
      else onFailure(describeNoResponse(error));
    });
    sent.once('close', () => {
      // A client may read only when all is written.
      request.unpipe(sent);
      request.resume();
    });
    if (hasBody) request.pipe(sent);
    else sent.end();
    return sent;
  }
}

function refuse(response: ServerResponse, message: string): void {
  const body = JSON.stringify({ error: 'target_unreachable', code: 502, message });
  // The reason why a response could not be forwarded may already be set.
  response.writeHead(502, 'Bad Gateway', { 'Content-Type': 'application/json' }).end(body);
}
