/** A response that is read while it is sent: a watch, server-sent events. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange, SentRequest } from './exchange.ts';
import type { Flight } from './flight.ts';
import type { StreamingResponse } from './transport.ts';

export interface Stream {
  readonly request: SentRequest;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body received so far. */
  text(): string;
  /** Whether the server has ended or aborted the response. */
  ended(): boolean;
  /** Waits until `holds` is true for the text, the response ends, or the time is over. Returns whether `holds` is true. */
  until(holds: (text: string) => boolean, seconds: number): Promise<boolean>;
  /** Disconnects if the response is not complete. Records and returns the exchange with the body received so far. */
  close(): Promise<Exchange>;
}

export interface StreamOptions {
  /** Never reads the body, like a client that stops reading without disconnecting. */
  unread?: boolean;
  /** Notes when the request is sent. */
  flight?: Flight;
}

/** Characters. A stream that sends more is ended. */
const MAX_TEXT_LENGTH = 64 * 2 ** 20;

/** Characters. Searching joins the received pieces, which takes as much memory again: longer texts are searched less often. */
const LONG_TEXT_LENGTH = 2 ** 18;
const LONG_TEXT_PAUSE_MS = 50;

/** `toExchange` is called once, with the response head, the body text, and whether the body was cut. */
export function createStream(
  request: SentRequest,
  response: StreamingResponse,
  toExchange: (head: StreamingResponse, text: string, isCut: boolean) => Exchange,
  { unread = false }: StreamOptions = {},
): Stream {
  const decoder = new TextDecoder();
  let text = '';
  let ended = false;
  let isWhole = false;
  let notifyReader = (): void => {};
  const reading = unread ? Promise.resolve() : read();
  let closed: Promise<Exchange> | undefined;

  async function read(): Promise<void> {
    try {
      for await (const chunk of response.body) {
        if (text.length + chunk.length > MAX_TEXT_LENGTH) throw new Error('too long');
        text += decoder.decode(chunk, { stream: true });
        notifyReader();
      }
      isWhole = true;
    } catch {
      // Aborted by either side, or too long: the text received so far remains valid.
    }
    ended = true;
    notifyReader();
  }

  async function until(holds: (text: string) => boolean, seconds: number): Promise<boolean> {
    const timeout = new AbortController();
    const timeUp = wait(Math.max(0, seconds * 1000), 'time is up', { signal: timeout.signal }).catch(
      () => 'time is up',
    );
    try {
      while (!holds(text)) {
        if (ended) return false;
        // oxlint-disable-next-line no-loop-func -- each turn waits for the next piece
        const more = new Promise<void>((resolve) => (notifyReader = resolve));
        const pause = text.length > LONG_TEXT_LENGTH ? wait(LONG_TEXT_PAUSE_MS) : undefined;
        // oxlint-disable-next-line no-await-in-loop -- it is a loop of waiting
        if ((await Promise.race([Promise.all([more, pause]), timeUp])) === 'time is up') return holds(text);
      }
      return true;
    } finally {
      timeout.abort();
    }
  }

  async function hangUp(): Promise<Exchange> {
    response.disconnect();
    await reading;
    return toExchange(response, text, !isWhole);
  }

  return {
    request,
    status: response.status,
    headers: response.headers,
    text: () => text,
    ended: () => ended,
    until,
    close: () => (closed ??= hangUp()),
  };
}
