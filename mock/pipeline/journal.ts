/** The journal of a world: a ring buffer of its newest requests, with the first characters of their bodies. */
import type { IncomingHttpHeaders } from 'node:http';
import type Koa from 'koa';
import type { Instant } from '../time/clock.ts';
import { clearBodies, createBodies, type JournalBodies } from './journal-bodies.ts';

/** What is recorded while a request runs; anything more expensive is computed when the journal is read. */
export interface JournalEntry {
  /** Counts all requests from 1, including dropped ones. */
  readonly number: number;
  readonly at: Instant;
  readonly method: string;
  /** Path and query as sent, below the world's own address. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  operation?: string;
  /** Absent until the response is sent, and if the connection was closed instead. */
  status?: number;
  /** Whether it has ended, with a response or without. */
  hasEnded?: true;
  /** The index of the fault rule that was applied. */
  fault?: number;
  /** The index of the script that responded. */
  script?: number;
  /** Whether the response is that of a recording. */
  replayed?: true;
  /** The response body of a stream grows while it is sent. */
  bodies: JournalBodies;
}

export interface Journal {
  entries: JournalEntry[];
  /** Index of the oldest entry once the ring is full. */
  oldest: number;
  /** Number of all requests, including dropped ones. */
  count: number;
  /** The number of the newest entry that was read; 0 without one. Readers may hold entries up to this one after the journal drops them. */
  lastRead: number;
  readonly listeners: Set<Listener>;
}

/** Notified of changes to a journal. Must return at once and never throw. */
export interface Listener {
  /** The response of an entry was sent. */
  readonly onEntry: (entry: JournalEntry) => void;
  /** Entries were deleted. */
  readonly onForgotten: () => void;
  /** The journal's world was deleted. */
  readonly close: () => void;
}

export const MAX_ENTRIES = 1000;

export function createJournal(): Journal {
  return { entries: [], oldest: 0, count: 0, lastRead: 0, listeners: new Set() };
}

/** Adds an entry; drops the oldest when the ring is full, and reuses the memory of its bodies. */
export function enter(
  journal: Journal,
  { method, originalUrl: url, headers }: Pick<Koa.Context, 'method' | 'originalUrl' | 'headers'>,
  at: Instant,
): JournalEntry {
  const dropped = journal.entries.length < MAX_ENTRIES ? undefined : journal.entries[journal.oldest];
  const entry: JournalEntry = {
    number: ++journal.count,
    at,
    method,
    url,
    headers,
    bodies: bodiesFor(journal, dropped),
  };
  if (dropped === undefined) {
    journal.entries.push(entry);
  } else {
    journal.entries[journal.oldest] = entry;
    journal.oldest = (journal.oldest + 1) % MAX_ENTRIES;
  }
  return entry;
}

/** Reuses the bodies of the dropped entry unless it was read. That entry gets new ones, because its request may still be running. */
function bodiesFor({ lastRead }: Journal, dropped: JournalEntry | undefined): JournalBodies {
  if (dropped === undefined || dropped.number <= lastRead) return createBodies();
  const { bodies } = dropped;
  dropped.bodies = createBodies();
  clearBodies(bodies);
  return bodies;
}

/** Notifies the listeners that the response of an entry was sent. */
export function completeEntry(journal: Journal, entry: JournalEntry): void {
  entry.hasEnded = true;
  if (journal.listeners.size === 0) return;
  journal.lastRead = Math.max(journal.lastRead, entry.number);
  for (const listener of journal.listeners) listener.onEntry(entry);
}

/** The oldest first. */
export function entriesOf(journal: Journal): JournalEntry[] {
  const { entries, oldest, count } = journal;
  journal.lastRead = count;
  return [...entries.slice(oldest), ...entries.slice(0, oldest)];
}

/** Deletes all entries except these, which come from `entriesOf`. */
export function keepEntries(journal: Journal, entries: JournalEntry[]): void {
  Object.assign(journal, { entries, oldest: 0 });
  for (const listener of journal.listeners) listener.onForgotten();
}

/** Deletes all entries and restarts the count; listeners stay. */
export function clearJournal(journal: Journal): void {
  Object.assign(journal, { count: 0, lastRead: 0 });
  keepEntries(journal, []);
}

/** Closes and removes all listeners. */
export function closeJournal({ listeners }: Journal): void {
  for (const listener of listeners) listener.close();
  listeners.clear();
}
