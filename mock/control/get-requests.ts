/** GET /_mock/requests: the journal, the oldest first, credentials left out. */
import { ok } from '../endpoint.ts';
import { timestamp } from '../world/clock.ts';
import type { ControlCall } from './control-call.ts';
import { ENTRIES_KEPT, entriesOf, type Entry } from './journal.ts';
import { entryFilter } from './journal-filter.ts';
import { splitUrl } from './split-url.ts';

export const getRequests: ControlCall = {
  answer: ({ served: { journal }, query }) => {
    const entries = entriesOf(journal).filter(entryFilter(query));
    return ok({ count: entries.length, received: journal.count, kept: ENTRIES_KEPT, requests: entries.map(shown) });
  },
};

/** Names of headers and query parameters whose values let somebody in. */
const SECRET = /authorization|cookie|token|secret|password|api-?key|assertion|^code(_verifier)?$/i;
const LEFT_OUT = '[left out]';

function shown({ number, at, method, url, headers, operation, status, fault }: Entry) {
  const { path, query } = splitUrl(url);
  return {
    number,
    time: timestamp(at),
    method,
    path,
    query: [...new URLSearchParams(query)].map(withoutSecret),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => withoutSecret([name, String(value)]))),
    operation: operation ?? null,
    status: status ?? null,
    ...(fault !== undefined && { fault }),
  };
}

function withoutSecret([name, value]: [string, string]): [string, string] {
  return [name, SECRET.test(name) ? LEFT_OUT : value];
}
