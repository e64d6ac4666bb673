/** An answer that is read while it is still being sent: a watch, server-sent events. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange, SentRequest } from './exchange.ts';
import type { StreamingResponse } from './transport.ts';

export interface Stream {
  readonly request: SentRequest;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** What has come so far. */
  text(): string;
  /** Whether the other side has ended the answer, or broken it off. */
  ended(): boolean;
  /** Waits until the text holds, the answer ends, or the seconds, if any, are over; gives whether it holds. */
  until(holds: (text: string) => boolean, seconds: number): Promise<boolean>;
  /** Hangs up where the answer still comes; gives and records the exchange, with what has come. */
  close(): Promise<Exchange>;
}

export interface StreamOptions {
  /** Nothing is ever read: what a client looks like that has stopped to listen and does not hang up. */
  unread?: boolean;
}

/** `made` makes the exchange of the head and the text; called once. */
export function createStream(
  request: SentRequest,
  answer: StreamingResponse,
  toExchange: (head: StreamingResponse, text: string) => Exchange,
  { unread = false }: StreamOptions = {},
): Stream {
  const decoder = new TextDecoder();
  let text = '';
  let ended = false;
  let notifyReader = (): void => {};
  const reading = unread ? Promise.resolve() : read();
  let closed: Promise<Exchange> | undefined;

  async function read(): Promise<void> {
    try {
      for await (const chunk of answer.body) {
        text += decoder.decode(chunk, { stream: true });
        notifyReader();
      }
    } catch {
      // Broken off, by us or by the other side: what came stands, and `ended` says that no more will.
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
        // oxlint-disable-next-line no-await-in-loop -- it is a loop of waiting
        if ((await Promise.race([more, timeUp])) === 'time is up') return holds(text);
      }
      return true;
    } finally {
      timeout.abort();
    }
  }

  async function hangUp(): Promise<Exchange> {
    answer.disconnect();
    await reading;
    return toExchange(answer, text);
  }

  return {
    request,
    status: answer.status,
    headers: answer.headers,
    text: () => text,
    ended: () => ended,
    until,
    close: () => (closed ??= hangUp()),
  };
}
