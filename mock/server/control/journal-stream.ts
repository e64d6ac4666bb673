/** The journal as server-sent events (HTML standard, 9.2). Memory is bounded even if the client reads slowly. */
import { Readable } from 'node:stream';
import { MAX_ENTRIES, entriesOf, type JournalEntry, type Journal } from '../../pipeline/journal.ts';
import { entryView } from './entry-view.ts';

type StreamItem = JournalEntry | 'forgotten';

/** Emits stored entries with a number above `after`, if given; then new ones, until the stream is destroyed. */
export function journalStream(
  journal: Journal,
  matchesFilter: (entry: JournalEntry) => boolean,
  after?: number,
): Readable {
  const pending: StreamItem[] = after === undefined ? [] : completeAfter(journal, after).filter(matchesFilter);
  let hasDemand = false;
  const flush = () => {
    while (hasDemand && pending.length > 0) hasDemand = stream.push(eventOf(pending.shift() as StreamItem));
  };
  const emit = (item: StreamItem) => {
    pending.push(item);
    if (pending.length > MAX_ENTRIES) pending.shift();
    flush();
  };
  const listener = {
    onEntry: (entry: JournalEntry) => {
      if (matchesFilter(entry)) emit(entry);
    },
    onForgotten: () => emit('forgotten'),
    close: () => void stream.push(null),
  };
  const stream = new Readable({
    read: () => {
      hasDemand = true;
      flush();
    },
    destroy: (error, done) => {
      journal.listeners.delete(listener);
      done(error);
    },
  });
  journal.listeners.add(listener);
  return stream;
}

/** Incomplete entries are emitted when they are complete. */
function completeAfter(journal: Journal, after: number): JournalEntry[] {
  return entriesOf(journal).filter(({ number, status }) => number > after && status !== undefined);
}

function eventOf(item: StreamItem): string {
  if (item === 'forgotten') return 'event: forgotten\ndata: {}\n\n';
  return `event: request\nid: ${item.number}\ndata: ${JSON.stringify(entryView(item))}\n\n`;
}
