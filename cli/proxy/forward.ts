/** A server that passes every request on to one origin, and every answer back, as they come; told of each when it is over. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { lookup } from '../../suites/target/loopback.ts';
import type { BodyCopy } from './body-copy.ts';
import { copyOf } from './body-copy.ts';
import type { RawHeaders } from './end-to-end.ts';
import { endToEnd, valuesOf } from './end-to-end.ts';

export interface Passed {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: RawHeaders;
  readonly body: BodyCopy;
  /** Absent where none came. */
  readonly answer?: PassedAnswer;
  /** Why no whole answer came from the target; absent where one came, or the client had left before. */
  readonly failure?: string;
}

export interface PassedAnswer {
  readonly status: number;
  readonly headers: RawHeaders;
  readonly body: BodyCopy;
  /** False where client or target broke it off. */
  readonly whole: boolean;
}

export interface Forwarding {
  readonly listener: RequestListener;
  /** Gives up connections to the target, and waits until every exchange is told. What breaks off now is no failure of the target. */
  readonly close: () => Promise<void>;
}

export function forwardTo(origin: string, tell: (passed: Passed) => void): Forwarding {
  const upstream = upstreamOf(origin);
  const open = new Set<ServerResponse>();
  let isClosing = false;
  return {
    listener(request, response) {
      open.add(response);
      pass(request, response, upstream, ({ failure, ...passed }) => {
        open.delete(response);
        tell(failure === undefined || isClosing ? passed : { ...passed, failure });
      });
    },
    async close() {
      isClosing = true;
      upstream.kept.destroy();
      for (const response of open) await once(response, 'close');
    },
  };
}

interface Upstream {
  readonly url: URL;
  readonly client: typeof http | typeof https;
  readonly kept: http.Agent;
}

function upstreamOf(origin: string): Upstream {
  const url = new URL(origin);
  const client = url.protocol === 'https:' ? https : http;
  return { url, client, kept: new client.Agent({ keepAlive: true }) };
}

function pass(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Upstream,
  tell: (passed: Passed) => void,
): void {
  const { method = '', url = '', rawHeaders: headers } = request;
  const body = copyOf(request);
  let answer: Omit<PassedAnswer, 'whole'> | undefined;
  let failure: string | undefined;
  let complete = () => false;

  const answered = (incoming: IncomingMessage): void => {
    answer = { status: incoming.statusCode ?? 0, headers: incoming.rawHeaders, body: copyOf(incoming) };
    complete = () => incoming.complete;
    incoming.once('error', ({ message }) => {
      failure ??= `the answer broke off: ${message}`;
      response.destroy(); // As the target did.
    });
    response.sendDate = false;
    response.writeHead(answer.status, incoming.statusMessage, endToEnd(answer.headers));
    response.flushHeaders(); // A stream may begin with silence.
    incoming.pipe(response);
  };
  const failed = (error: NodeJS.ErrnoException): void => {
    if (response.destroyed || answer !== undefined) return;
    failure = `no answer (${error.code ?? error.message})`;
    refuse(response, `${upstream.url.origin} gives ${failure}.`);
  };
  const stop = send(request, upstream, answered, failed);
  response.once('close', () => {
    if (!response.writableFinished) stop(); // The client has left.
    tell({
      method,
      url,
      headers,
      body,
      ...(answer && { answer: { ...answer, whole: response.writableFinished && complete() } }),
      ...(failure !== undefined && { failure }),
    });
  });
}

/** Safe methods (RFC 9110 9.2.1). */
const isSafe = (method: string): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Gives what ends it. */
function send(
  request: IncomingMessage,
  { url, client, kept }: Upstream,
  answered: (incoming: IncomingMessage) => void,
  failed: (error: NodeJS.ErrnoException) => void,
): () => void {
  const { method = '', url: path, rawHeaders } = request;
  const hasBody = carriesBody(rawHeaders);
  const { protocol, hostname, port } = url;
  const headers = onwardHeaders(request, url.host);
  const where = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path, method, headers, lookup };
  let isOver = false;
  // A kept connection may turn out to be closed, and only what has neither effect nor body can then be sent again.
  let onward = sentBy(isSafe(method) && !hasBody ? kept : false);
  return () => {
    isOver = true;
    onward.destroy();
  };

  function sentBy(agent: http.Agent | false): http.ClientRequest {
    const sent = client.request({ ...where, agent });
    sent.once('response', (incoming) => {
      isOver = true;
      answered(incoming);
    });
    sent.on('error', (error) => {
      if (sent.reusedSocket && !isOver) onward = sentBy(false);
      else failed(error);
    });
    if (hasBody) request.pipe(sent);
    else sent.end();
    return sent;
  }
}

/** RFC 9112 6.3. */
function carriesBody(headers: RawHeaders): boolean {
  const isChunked = valuesOf(headers, 'transfer-encoding').length > 0;
  return isChunked || valuesOf(headers, 'content-length').some((length) => Number(length) > 0);
}

function onwardHeaders({ method = '', rawHeaders }: IncomingMessage, host: string): string[] {
  const isChunked = valuesOf(rawHeaders, 'transfer-encoding').length > 0;
  const hasLength = valuesOf(rawHeaders, 'content-length').length > 0;
  return [
    'Host',
    host,
    // Expect is settled: this server has told its client to go on.
    ...endToEnd(rawHeaders, ['host', 'expect']),
    ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
    // Node would else send an empty body in chunks.
    ...(isChunked || hasLength || isSafe(method) || method === 'DELETE' ? [] : ['Content-Length', '0']),
    'Via',
    '1.1 assay', // RFC 9110 7.6.3
  ];
}

function refuse(response: ServerResponse, message: string): void {
  const body = JSON.stringify({ error: 'target_unreachable', code: 502, message });
  response.writeHead(502, { 'Content-Type': 'application/json' }).end(body);
}
