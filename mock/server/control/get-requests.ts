/**
 * GET /_mock/requests: the journal, oldest first, secrets redacted; as live events if the client accepts text/event-stream.
 * With `wait`, responds as soon as `atLeast` requests match and have a response, or after that time.
 */
import { ok } from '../../http/reply.ts';
import { invalidField } from '../../http/problems.ts';
import type { ControlCall } from './control-call.ts';
import { entryFilter, FILTER_NAMES } from './journal-filter.ts';
import { journalStream } from './journal-stream.ts';
import { MAX_ENTRIES, entriesOf } from '../../pipeline/journal.ts';
import { mapInSlices } from '../../http/slices.ts';
import { entryView } from './entry-view.ts';
import { MAX_WAIT_SECONDS, waitForEntries } from './wait-for-entries.ts';

export const getRequests: ControlCall = {
  query: [...FILTER_NAMES, 'wait', 'atLeast'],
  handle: async ({ served: { journal }, query, headers }) => {
    const wait = secondsToWait(query['wait']);
    const atLeast = wholeNumber('atLeast', query['atLeast'], MAX_ENTRIES) ?? 1;
    const isWanted = entryFilter(query);
    if (headers.accept?.includes('text/event-stream') === true) {
      const stream = journalStream(journal, isWanted, lastEventId(headers['last-event-id']));
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
        body: stream,
      };
    }
    if (wait !== undefined)
      await waitForEntries(journal, (complete) => complete.filter(isWanted).length >= atLeast, wait);
    const entries = entriesOf(journal).filter(isWanted);
    return ok({
      count: entries.length,
      received: journal.count,
      kept: MAX_ENTRIES,
      requests: await mapInSlices(entries, entryView),
    });
  },
};

/** As `verify` accepts them. Undefined if it is absent. */
function secondsToWait(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) || Number(value) > MAX_WAIT_SECONDS)
    throw invalidField('wait', value, `seconds from 0 to ${MAX_WAIT_SECONDS}`);
  return Number(value);
}

/** From 0 to `max`. Undefined if it is absent. */
function wholeNumber(name: string, value: string | undefined, max: number): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,4}$/.test(value) || Number(value) > max)
    throw invalidField(name, value, `a whole number from 0 to ${max}`);
  return Number(value);
}

/** Undefined: only new entries. */
function lastEventId(id: string | string[] | undefined): number | undefined {
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !/^\d{1,15}$/.test(id))
    throw invalidField('Last-Event-ID', id, 'the number of an entry, or 0 for all stored entries');
  return Number(id);
}
