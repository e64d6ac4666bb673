/** GET /_mock/requests: the journal, oldest first, secrets redacted; as live events if the client accepts text/event-stream. */
import { ok } from '../../http/reply.ts';
import { invalidField } from '../../http/problems.ts';
import type { ControlCall } from './control-call.ts';
import { entryFilter } from './journal-filter.ts';
import { journalStream } from './journal-stream.ts';
import { MAX_ENTRIES, entriesOf } from '../../pipeline/journal.ts';
import { entryView } from './entry-view.ts';

export const getRequests: ControlCall = {
  handle: ({ served: { journal }, query, headers }) => {
    const isWanted = entryFilter(query);
    if (headers.accept?.includes('text/event-stream') === true) {
      const stream = journalStream(journal, isWanted, lastEventId(headers['last-event-id']));
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
        body: stream,
      };
    }
    const entries = entriesOf(journal).filter(isWanted);
    return ok({
      count: entries.length,
      received: journal.count,
      kept: MAX_ENTRIES,
      requests: entries.map(entryView),
    });
  },
};

/** Undefined: only new entries. */
function lastEventId(id: string | string[] | undefined): number | undefined {
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id))
    throw invalidField('Last-Event-ID', id, 'the number of an entry, or 0 for all stored entries');
  return Number(id);
}
