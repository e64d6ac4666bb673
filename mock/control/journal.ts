/** The journal of a world: the newest requests to it, without their bodies, in a ring of bounded size. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../context.ts';
import type { Instant } from '../world/clock.ts';

/** What is noted while a request runs; everything dearer is made when the journal is read. */
export interface Entry {
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
}

export interface Journal {
  entries: Entry[];
  /** Where the oldest stands, once the ring is full. */
  oldest: number;
  /** Of all requests, the forgotten too. */
  count: number;
}

export const ENTRIES_KEPT = 1000;

export function createJournal(): Journal {
  return { entries: [], oldest: 0, count: 0 };
}

/** Takes the entry's number and its place; the oldest one goes when the ring is full. */
export function enter(journal: Journal, { method, originalUrl: url, headers }: Context, at: Instant): Entry {
  const entry: Entry = { number: ++journal.count, at, method, url, headers };
  if (journal.entries.length < ENTRIES_KEPT) {
    journal.entries.push(entry);
  } else {
    journal.entries[journal.oldest] = entry;
    journal.oldest = (journal.oldest + 1) % ENTRIES_KEPT;
  }
  return entry;
}

/** Completes the entry with what became of the request. */
export function noteAnswer({ state: { entry, route, reply, spoil }, res }: Context): void {
  if (entry === undefined) return;
  if (route !== undefined) entry.operation = route.operation.id;
  if (spoil === 'cut') return;
  if (reply !== undefined) entry.status = reply.status;
  else if (res.headersSent) entry.status = res.statusCode;
}

/** The oldest first. */
export function entriesOf({ entries, oldest }: Journal): Entry[] {
  return [...entries.slice(oldest), ...entries.slice(0, oldest)];
}

/** Keeps only these, which come from `entriesOf`. */
export function keepEntries(journal: Journal, entries: Entry[]): void {
  journal.entries = entries;
  journal.oldest = 0;
}

/** As if nothing had ever been asked. */
export function clearJournal(journal: Journal): void {
  Object.assign(journal, createJournal());
}
