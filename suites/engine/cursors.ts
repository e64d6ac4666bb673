/** Walks to a page again if its cursor is refused: a target may keep few cursors, or each for a short time. */
import { fieldsOf } from '../json/fields.ts';
import { createSharedLock } from '../target/places.ts';
import type { Client } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { CallInput } from '../target/request-types.ts';

export interface Cursors {
  /** The same client, whose refused cursors are replaced by those of a new walk, once, while no other query is sent. */
  renewing(client: Client): Client;
  /** Calls a function while no other query is sent by such a client. It must not call one itself. */
  readonly alone: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/** Cursors whose page is known. */
const MAX_KNOWN = 5000;

/** Whether the request may be refused because of its cursor. */
export const isCursorRefusal = ({ response: { status } }: Pick<Exchange, 'response'>): boolean =>
  status >= 400 && status < 500 && ![401, 403, 429].includes(status);

function nextCursorIn({ response: { status, json } }: Exchange): string | undefined {
  const { nextCursor } = (status === 200 && fieldsOf(fieldsOf(json)?.['meta'])) || {};
  return typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
}

const withCursor = ({ query, ...input }: CallInput, cursor: unknown): CallInput => ({
  ...input,
  query: { ...(query as Record<string, string | undefined>), cursor: cursor as string | undefined },
});

/** The cursor of a query. Undefined without one, and if parameters may be repeated. */
const cursorIn = ({ query }: CallInput): unknown => (Array.isArray(query) ? undefined : fieldsOf(query)?.['cursor']);

const keyOf = (input: CallInput, cursor: unknown): string => JSON.stringify([withCursor(input, undefined), cursor]);

export function createCursors(): Cursors {
  const lock = createSharedLock();
  /** By query and cursor: which page returned it, from 1. */
  const pages = new Map<string, number>();

  function note(input: CallInput, page: number, exchange: Exchange): void {
    const cursor = nextCursorIn(exchange);
    if (cursor !== undefined && !Array.isArray(input.query)) pages.set(keyOf(input, cursor), page);
    const [oldest] = pages.keys();
    if (pages.size > MAX_KNOWN) pages.delete(oldest!);
  }

  /** Undefined if the pages end before. */
  async function walkPast(page: number, input: CallInput, client: Client): Promise<Exchange | undefined> {
    let cursor: string | undefined;
    for (let at = 1; ; at += 1) {
      const exchange = await client.call('getAccountMetrics', withCursor(input, cursor));
      note(input, at, exchange);
      if (at > page || isCursorRefusal(exchange)) return exchange;
      cursor = nextCursorIn(exchange);
      if (cursor === undefined) return undefined;
    }
  }

  return {
    alone: lock.alone,
    renewing: (client) => ({
      ...client,
      async call(id, input = {}) {
        if (id !== 'getAccountMetrics') return client.call(id, input);
        const exchange = await lock.shared(() => client.call(id, input));
        const cursor = cursorIn(input);
        const page = cursor === undefined ? 0 : pages.get(keyOf(input, cursor));
        if (page === undefined) return exchange;
        note(input, page + 1, exchange);
        if (page === 0 || !isCursorRefusal(exchange)) return exchange;
        return (await lock.alone(() => walkPast(page, input, client))) ?? exchange;
      },
    }),
  };
}
