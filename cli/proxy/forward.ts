/** A server that passes every request on to one origin, and every answer back, as they come; told of each when it is over. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { lookup } from '../../suites/target/loopback.ts';
import type { BodyCopy } from './body-copy.ts';
import { copyOf, CUT_SHORT } from './body-copy.ts';
import type { RawHeaders } from './end-to-end.ts';
import { endToEnd } from './end-to-end.ts';
import { carriesBody, isSafe, onwardHeaders } from './onward-headers.ts';

export interface Passed {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: RawHeaders;
  /** CUT_SHORT where the client left, or the answer was over, before all of it had come. */
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

/** Of one request or answer. */
export const MOST_HEADER_BYTES = 64 * 1024;

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
      upstream.once.destroy();
      for (const response of open) await once(response, 'close');
    },
  };
}

interface Upstream {
  readonly url: URL;
  readonly client: typeof http | typeof https;
  readonly kept: http.Agent;
  /** Uses no connection twice, and does not ask the target to close: one that closes early loses its answer to an upload. */
  readonly once: http.Agent;
}

function upstreamOf(origin: string): Upstream {
  const url = new URL(origin);
  const client = url.protocol === 'https:' ? https : http;
  const agent = (): http.Agent => new client.Agent({ keepAlive: true });
  // Node takes 0 for its default where it is an option.
  return { url, client, kept: agent(), once: Object.assign(agent(), { maxFreeSockets: 0 }) };
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
    const { statusCode = 0, statusMessage, rawHeaders } = incoming;
    response.sendDate = false;
    try {
      if (statusCode === 101) throw new Error(UNASKED);
      response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders));
    } catch (error) {
      incoming.destroy();
      return failed(unpassable((error as Error).message));
    }
    answer = { status: statusCode, headers: rawHeaders, body: copyOf(incoming) };
    complete = () => incoming.complete;
    incoming.once('error', ({ message }) => {
      failure ??= `the answer broke off: ${message}`;
      response.destroy(); // As the target did.
    });
    // The head at once, for a stream may begin with silence; flushHeaders would make UTF-8 of its bytes.
    response.write(Buffer.alloc(0));
    incoming.pipe(response);
  };
  const failed = (why: string): void => {
    if (response.destroyed || answer !== undefined || failure !== undefined) return;
    failure = why;
    refuse(response, `${upstream.url.origin} gives ${why}.`);
  };
  const stop = send(request, upstream, answered, failed);
  response.once('close', () => {
    if (!response.writableFinished) stop(); // The client has left.
    tell({
      method,
      url,
      headers,
      body: request.complete && request.readableLength === 0 ? body : CUT_SHORT,
      ...(answer && { answer: { ...answer, whole: response.writableFinished && complete() } }),
      ...(failure !== undefined && { failure }),
    });
  });
}

const UNASKED = 'status 101, which nobody asked for';
const unpassable = (why: string): string => `an answer that cannot be passed on (${why})`;

/** What the parser of Node says of bytes that are no HTTP begins with HPE. */
const whyNone = ({ code, message }: NodeJS.ErrnoException): string =>
  code?.startsWith('HPE_') === true ? unpassable(`${code}: ${message}`) : `no answer (${code ?? message})`;

/** Gives what ends it. `failed` is told why, as what the target gives. */
function send(
  request: IncomingMessage,
  { url, client, ...agents }: Upstream,
  answered: (incoming: IncomingMessage) => void,
  failed: (why: string) => void,
): () => void {
  const { method = '', url: path, rawHeaders } = request;
  const hasBody = carriesBody(rawHeaders);
  const { protocol, hostname, port } = url;
  const headers = onwardHeaders(request, url.host);
  const host = hostname.replace(/^\[|\]$/g, '');
  const where = { protocol, hostname: host, port, path, method, headers, lookup, maxHeaderSize: MOST_HEADER_BYTES };
  let isOver = false;
  let onward: http.ClientRequest | undefined;
  try {
    // A kept connection may turn out to be closed, and only what has neither effect nor body can then be sent again.
    onward = sentBy(isSafe(method) && !hasBody ? agents.kept : agents.once);
  } catch (error) {
    failed(`no answer, for the request cannot be passed on (${(error as Error).message})`);
  }
  return () => {
    isOver = true;
    onward?.destroy();
  };

  function sentBy(agent: http.Agent): http.ClientRequest {
    const sent = client.request({ ...where, agent });
    sent.once('response', (incoming) => {
      isOver = true;
      answered(incoming);
    });
    sent.once('upgrade', (_, socket) => {
      isOver = true;
      socket.destroy();
      failed(unpassable(UNASKED));
    });
    sent.on('error', (error) => {
      if (sent.reusedSocket && !isOver) onward = sentBy(agents.once);
      else failed(whyNone(error));
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
  // The reason of an answer that could not be passed on may stand there already.
  response.writeHead(502, 'Bad Gateway', { 'Content-Type': 'application/json' }).end(body);
}
