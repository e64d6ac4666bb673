/** GET /_mock/requests: the journal, the oldest first, credentials left out; to whoever accepts text/event-stream what comes, as it comes. */
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

/** Undefined: only what comes from now on. */
function lastEventId(id: string | string[] | undefined): number | undefined {
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id))
    throw invalidField('Last-Event-ID', id, "an entry's number, or 0 for all that are kept");
  return Number(id);
}
