/** The journal of a world: the newest requests to it, with the beginnings of their bodies, in a ring of bounded size. */
import type { IncomingHttpHeaders } from 'node:http';
import type Koa from 'koa';
import type { Instant } from '../time/clock.ts';

/** What is noted while a request runs; everything dearer is made when the journal is read. */
export interface JournalEntry {
  /** Counts from 1, over what is no longer kept too. */
  readonly number: number;
  readonly at: Instant;
  readonly method: string;
  /** Path and query as sent, below the world's own address. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  operation?: string;
  /** Absent while there is no answer, and where the connection was cut. */
  status?: number;
  /** The index of the rule that disturbed the request. */
  fault?: number;
  /** The body that was read; one that is longer than BODY_KEPT has one character more than that. */
  requestBody?: string;
  /** The body of the answer, likewise; absent where it was a stream. */
  responseBody?: string;
}

export interface Journal {
  entries: JournalEntry[];
  /** Where the oldest stands, once the ring is full. */
  oldest: number;
  /** Of all requests, the forgotten too. */
  count: number;
  readonly listeners: Set<Listener>;
}

/** Who watches a journal; must return at once and never throw. */
export interface Listener {
  /** An entry is complete. */
  readonly onEntry: (entry: JournalEntry) => void;
  /** Entries were forgotten. */
  readonly onForgotten: () => void;
  /** The journal's world is gone. */
  readonly close: () => void;
}

export const MAX_ENTRIES = 1000;

/** Characters of each body. */
export const MAX_BODY_CHARACTERS = 4000;

export function createJournal(): Journal {
  return { entries: [], oldest: 0, count: 0, listeners: new Set() };
}

/** Takes the entry's number and its place; the oldest one goes when the ring is full. */
export function enter(
  journal: Journal,
  { method, originalUrl: url, headers }: Pick<Koa.Context, 'method' | 'originalUrl' | 'headers'>,
  at: Instant,
): JournalEntry {
  const entry: JournalEntry = { number: ++journal.count, at, method, url, headers };
  if (journal.entries.length < MAX_ENTRIES) {
    journal.entries.push(entry);
  } else {
    journal.entries[journal.oldest] = entry;
    journal.oldest = (journal.oldest + 1) % MAX_ENTRIES;
  }
  return entry;
}

/** The oldest first. */
export function entriesOf({ entries, oldest }: Journal): JournalEntry[] {
  return [...entries.slice(oldest), ...entries.slice(0, oldest)];
}

/** Keeps only these, which come from `entriesOf`. */
export function keepEntries(journal: Journal, entries: JournalEntry[]): void {
  Object.assign(journal, { entries, oldest: 0 });
  for (const listener of journal.listeners) listener.onForgotten();
}

/** As if nothing had ever been asked; who watches goes on watching. */
export function clearJournal(journal: Journal): void {
  journal.count = 0;
  keepEntries(journal, []);
}

/** Ends what watches it. */
export function closeJournal({ listeners }: Journal): void {
  for (const listener of listeners) listener.close();
  listeners.clear();
}
