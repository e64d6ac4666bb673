/** DELETE /_mock/requests: deletes the entries that match the filters; all without a filter. */
import { ok } from '../../http/reply.ts';
import type { ControlCall } from './control-call.ts';
import { entryFilter, FILTER_NAMES } from './journal-filter.ts';
import { entriesOf, keepEntries } from '../../pipeline/journal.ts';

export const deleteRequests: ControlCall = {
  query: FILTER_NAMES,
  handle: ({ served: { journal }, query }) => {
    const entries = entriesOf(journal);
    const isForgotten = entryFilter(query);
    const remaining = entries.filter((entry) => !isForgotten(entry));
    keepEntries(journal, remaining);
    return ok({ deleted: entries.length - remaining.length });
  },
};
