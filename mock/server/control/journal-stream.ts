/** The journal as server-sent events (HTML standard, 9.2). Memory is bounded even if the client reads slowly. */
import { Readable } from 'node:stream';
import { MAX_ENTRIES, entriesOf, type JournalEntry, type Journal } from '../../pipeline/journal.ts';
import { entryView } from './entry-view.ts';

type Told = JournalEntry | 'forgotten';

/** Emits stored entries with a number above `after`, if given; then new ones, until the stream is destroyed. */
export function journalStream(journal: Journal, isWanted: (entry: JournalEntry) => boolean, after?: number): Readable {
  const pending: Told[] = after === undefined ? [] : completeAfter(journal, after).filter(isWanted);
  let wanted = false;
  const flush = () => {
    while (wanted && pending.length > 0) wanted = stream.push(eventOf(pending.shift() as Told));
  };
  const tell = (told: Told) => {
    pending.push(told);
    if (pending.length > MAX_ENTRIES) pending.shift();
    flush();
  };
  const listener = {
    onEntry: (entry: JournalEntry) => {
      if (isWanted(entry)) tell(entry);
    },
    onForgotten: () => tell('forgotten'),
    close: () => void stream.push(null),
  };
  const stream = new Readable({
    read: () => {
      wanted = true;
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

function eventOf(told: Told): string {
  if (told === 'forgotten') return 'event: forgotten\ndata: {}\n\n';
  return `event: request\nid: ${told.number}\ndata: ${JSON.stringify(entryView(told))}\n\n`;
}
