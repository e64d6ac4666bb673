/** Lets a client hold several event streams of a session, as MCP allows (2025-11-25, Multiple Connections): the SDK allows one. */
import type { EventStore, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';

type Transport = Pick<WebStandardStreamableHTTPServerTransport, 'handleRequest' | 'closeStandaloneSSEStream'>;

/** A stream that is open for a client. */
interface OpenStream {
  /** Without Last-Event-ID. */
  readonly request: Request;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
}

/** How the SDK refuses a second stream, after it has checked everything else. */
const SECOND_STREAM = 409;
/** What the SDK calls the stream of the GET requests in the event store; others are of POST requests. */
const STREAM_ID = '_GET_stream';

/**
 * Handles the GET requests of a session. Messages are sent on the newest stream only; when its client disconnects, on the one that
 * was opened before.
 */
export function createSessionStreams(
  transport: Transport,
  events: EventStore,
): (request: Request) => Promise<Response> {
  /** The newest is the last. */
  const open: OpenStream[] = [];
  /** The one that the transport sends to. */
  let current: OpenStream | undefined;
  let turn: Promise<unknown> = Promise.resolve();
  /** One after the other, because each replaces the transport's stream. */
  const inTurn = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const acted = turn.then(act);
    turn = acted.catch(() => undefined);
    return acted;
  };

  const release = (): void => {
    current = undefined;
    transport.closeStandaloneSSEStream();
  };
  const relay = async (stream: OpenStream, chunks: ReadableStream<Uint8Array>): Promise<void> => {
    current = stream;
    try {
      for await (const chunk of chunks) if (open.includes(stream)) stream.controller.enqueue(chunk);
    } catch {
      // A stream that failed ends as one of an ended session does: the client connects again.
    }
    // Not released, so the session has ended.
    if (current === stream) for (const { controller } of open.splice(0)) controller.close();
  };
  const replace = async (stream: OpenStream): Promise<void> => {
    if (current !== stream) return;
    release();
    const next = open.at(-1);
    const body = next && (await transport.handleRequest(next.request)).body;
    if (next && body) void relay(next, body);
  };
  const leave = (stream: OpenStream): void => {
    if (!open.includes(stream)) return;
    // At once: a chunk for a stream that was cancelled would be an error.
    open.splice(open.indexOf(stream), 1);
    inTurn(() => replace(stream)).catch(() => undefined);
  };
  const openStream = async (resumption: Request): Promise<Response> => {
    const request = withoutEventId(resumption);
    let response = await transport.handleRequest(resumption);
    if (response.status === SECOND_STREAM) {
      release();
      // What was missed on one stream was sent on another.
      response = await transport.handleRequest(request);
    }
    const { body, status, headers } = response;
    if (body === null || !response.ok) return response;
    let stream: OpenStream;
    const chunks = new ReadableStream<Uint8Array>({
      start: (controller) => {
        stream = { request, controller };
        open.push(stream);
        request.signal.addEventListener('abort', () => leave(stream));
        void relay(stream, body);
      },
      cancel: () => leave(stream),
    });
    return new Response(chunks, { status, headers });
  };

  return async (request) => {
    const lastEventId = request.headers.get('last-event-id');
    const streamId = lastEventId === null ? STREAM_ID : await events.getStreamIdForEventId?.(lastEventId);
    return streamId === STREAM_ID ? inTurn(() => openStream(request)) : transport.handleRequest(request);
  };
}

function withoutEventId(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete('last-event-id');
  return new Request(request, { headers });
}
