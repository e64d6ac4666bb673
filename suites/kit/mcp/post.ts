/** Sends one message over the streamable HTTP transport and waits for its response (MCP 2025-11-25, Transports). */
import { setTimeout as wait } from 'node:timers/promises';
import type { Run } from '../../engine/conforms.ts';
import { sharedValues } from '../../engine/shared-values.ts';
import type { Exchange, Stream } from '../../target/client.ts';
import { pollUntilTimeout } from '../../target/eventually.ts';
import { createFlight, type Flight } from '../../target/flight.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import type { Endpoint } from './endpoints.ts';
import { findResponse, isEventStream, isRequest, messagesIn } from './messages.ts';
import type { Message, MessageId } from './messages.ts';
import { serverEventsIn } from './server-events.ts';

export interface McpResponse {
  /** The exchange of the request, or of the stream that was resumed for it. */
  readonly exchange: Exchange;
  /** Absent if there was none for this id. */
  readonly message?: Message;
  /** A request of the server on the stream, if its version of the protocol has none. */
  readonly serverRequest?: Message;
}

export interface Connection {
  readonly run: Run;
  readonly endpoint: Endpoint;
  /** The session and the protocol version, once they are known. */
  readonly headers: HeaderInput;
  /** Whether every request stands alone: no stream is resumed, and the server sends no requests (MCP 2026-07-28). */
  readonly isStateless?: boolean;
}

/** The methods whose requests list event streams first. */
const eventsFirst: readonly unknown[] = ['ping', 'server/discover'];

/** Both media types, in either order, because their order has no meaning (RFC 9110 section 12.5.1). */
const acceptFor = (message: object): string =>
  'method' in message && eventsFirst.includes(message.method)
    ? 'text/event-stream, application/json'
    : 'application/json, text/event-stream';

/** The response timeout of a running server, independent of how soon writes take effect. */
export const RESPONSE_SECONDS = 15;

/** Tools may be slower. */
export const responseSeconds = ({ patienceSeconds }: Run): number => Math.max(RESPONSE_SECONDS, patienceSeconds);

const MIN_RETRY_MS = 50;
const MAX_RETRY_MS = 2000;

/** Sends a notification or a response, neither of which gets a response. */
export async function sendMessage(connection: Connection, message: object): Promise<Exchange> {
  const stream = await openPost(connection, message);
  await stream.until(() => false, isEventStream(stream) ? 0 : RESPONSE_SECONDS);
  return stream.close();
}

/** Sends `message`, a request of that id. Resumes a stream that ends before the response, if its events have ids. */
export async function request(
  connection: Connection,
  id: MessageId,
  message: object,
  seconds: number = responseSeconds(connection.run),
): Promise<McpResponse> {
  let end = performance.now() + seconds * 1000;
  /** What a request waits before it is sent is no time of the server. */
  const sent = async (open: (flight: Flight) => Promise<Stream>): Promise<Stream> => {
    const [start, flight] = [performance.now(), createFlight()];
    const stream = await open(flight);
    end += (flight.sentMs ?? start) - start;
    return stream;
  };
  for (let stream = await sent((flight) => openPost(connection, message, flight)); ;) {
    const response = await listen(connection, stream, id, (end - performance.now()) / 1000);
    const exchange = await stream.close();
    const { lastId, retryMs = 0 } = serverEventsIn(isEventStream(stream) ? stream.text() : '');
    const serverRequest = connection.isStateless ? messagesIn(stream, stream.text()).find(isRequest) : undefined;
    if (response !== undefined) return { exchange, message: response, ...(serverRequest && { serverRequest }) };
    if (connection.isStateless || !isEventStream(stream) || lastId === '' || performance.now() > end)
      return { exchange };
    await wait(Math.min(Math.max(retryMs, MIN_RETRY_MS), MAX_RETRY_MS));
    stream = await sent((flight) => openAgain(connection, lastId, flight));
  }
}

/** By rule. */
const polls = sharedValues<ReturnType<typeof pollUntilTimeout<Stream>>>();

/** Opens a stream, again and again while the server is overloaded or starts (503), so that nothing was done. */
async function openWhenServed({ run }: Connection, open: () => Promise<Stream>): Promise<Stream> {
  const whenServed = await polls.get(run, run.rule.id, async () =>
    pollUntilTimeout(({ status }: Stream) => status !== 503, run.patienceSeconds),
  );
  let refused: Stream | undefined;
  return whenServed(async () => {
    await refused?.close();
    return (refused = await open());
  });
}

function openPost(connection: Connection, message: object, flight = createFlight()): Promise<Stream> {
  const { run, endpoint, headers } = connection;
  const { post, path } = endpoint;
  return openWhenServed(connection, () =>
    run.client.open(post, { path, body: message, headers: { ...headers, Accept: acceptFor(message) } }, { flight }),
  );
}

function openAgain(connection: Connection, lastId: string, flight: Flight): Promise<Stream> {
  const { run, endpoint, headers } = connection;
  const resuming = { ...headers, Accept: 'text/event-stream', 'Last-Event-ID': lastId };
  return openWhenServed(connection, () =>
    run.client.open(endpoint.get, { path: endpoint.path, headers: resuming }, { flight }),
  );
}

/** Responds to requests of the server meanwhile, because it may wait for them. */
async function listen(
  connection: Connection,
  stream: Stream,
  id: MessageId,
  seconds: number,
): Promise<Message | undefined> {
  const end = performance.now() + seconds * 1000;
  for (let receivedCount = 0; ;) {
    const more = await stream.until(
      (text) => (isEventStream(stream) || stream.ended()) && messagesIn(stream, text).length > receivedCount,
      (end - performance.now()) / 1000,
    );
    const messages = messagesIn(stream, stream.text());
    const response = findResponse(id, messages);
    if (response !== undefined || (!more && messages.length === receivedCount)) return response;
    for (const serverRequest of connection.isStateless ? [] : messages.slice(receivedCount).filter(isRequest))
      await sendMessage(connection, responseTo(serverRequest));
    receivedCount = messages.length;
  }
}

/** This client only supports ping. */
function responseTo({ id, method }: Message): object {
  const response =
    method === 'ping' ? { result: {} } : { error: { code: -32_601, message: 'This client has no such method.' } };
  return { jsonrpc: '2.0', id, ...response };
}
