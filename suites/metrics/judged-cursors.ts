/** What cursors and limits show in anybody's traffic. */
import { status } from '../expect/status.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { isRefusedAsInvalid, isValid, pagesBefore, seenMetrics, seenWalk } from '../kit/metrics/seen-metrics.ts';
import { isSameCaller, isSettled, queryKey } from '../kit/metrics/seen-query.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { repeatedGroups } from './compared-walks.ts';
import { filledFields } from './entries.ts';
import type { Page } from './pages.ts';
import { parseMetrics } from '../kit/metrics/request.ts';
import { sameFirstPage, sameResponse } from './same-response.ts';

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

/** A cursor that was just returned is accepted. */
export function judgeRefusedCursor(seen: Seen, facts: Facts): Judged {
  const isContinued = (pagesBefore(seen, facts) ?? []).length > 0;
  return isContinued && isRefusedAsInvalid(seen) && isValid(seen, facts) ? status(seen.exchange, 200) : undefined;
}

/** A cursor that was just returned is accepted, and leads to a page that was not there before. */
export function judgeContinuation(seen: Seen, facts: Facts): Judged {
  const before = pagesBefore(seen, facts) ?? [];
  if (before.length === 0) return undefined;
  const refused = judgeRefusedCursor(seen, facts);
  if (refused !== undefined) return refused;
  const page = seenMetrics(seen, facts);
  if (page === undefined) return undefined;
  const { nextCursor } = page.metrics.meta;
  const followed = [...before, seen].map((each) => each.parameter('cursor'));
  if (typeof nextCursor === 'string' && nextCursor !== '' && followed.includes(nextCursor))
    return [{ expected: 'pages that end', actual: 'the next page is an earlier one', exchange: seen.exchange }];
  const walk = seenWalk(seen, facts);
  return walk && repeatedGroups(walk);
}

/** The cursor as sent, before decoding. */
const spellingOf = ({ exchange }: Seen): string => /[?&]cursor=([^&#]*)/.exec(exchange.request.url)?.[1] ?? '';

const MAX_REMEMBERED = 50;

/** Remembers the newest of each key. */
function remember(): (key: string, seen: Seen) => Seen | undefined {
  const remembered = new Map<string, Seen>();
  return (key, seen) => {
    const first = remembered.get(key);
    if (seen.status === 200) {
      remembered.delete(key);
      remembered.set(key, seen);
    }
    for (const oldest of [...remembered.keys()].slice(0, -MAX_REMEMBERED)) remembered.delete(oldest);
    return first;
  };
}

const pageOf = (seen: Seen, facts: Facts): Page | undefined => seenMetrics(seen, facts);

/** The same query with the same cursor, in the same spelling or in another one. A cursor may be accepted once only. */
export const judgeUsedCursors =
  (isSameSpelling: boolean) =>
  (facts: Facts): ((seen: Seen) => Judged) => {
    const remembered = remember();
    return (seen) => {
      if (seen.parameter('cursor') === undefined || (pagesBefore(seen, facts) ?? []).length === 0) return undefined;
      const key = JSON.stringify([seen.caller, queryKey(seen, facts), seen.parameter('groupBy')]);
      const first = remembered(key, seen);
      const isOther = first === undefined || (spellingOf(first) === spellingOf(seen)) !== isSameSpelling;
      if (isOther || !isSameCaller(first, seen)) return undefined;
      const page = pageOf(seen, facts);
      if (page === undefined || !isSettled(first)) return undefined;
      return sameResponse(parseMetrics(first.exchange), page, filledFields(seenMetrics(seen, facts)!.groupBy));
    };
  };

/** First pages with a limit above the maximum, against the same query with the maximum or without a limit. */
export function judgeClampedPages(facts: Facts): (seen: Seen) => Judged {
  const [explicit, implicit] = [remember(), remember()];
  const absent = { status: 0 } as Seen;
  return (seen) => {
    const page = seenMetrics(seen, facts);
    const limit = seen.parameter('limit');
    const isJudged = page !== undefined && seen.parameter('cursor') === undefined && page.groupBy.length > 0;
    if (!isJudged || Number(limit ?? maxLimit) < maxLimit || !isSettled(seen)) return undefined;
    const key = JSON.stringify([seen.caller, queryKey(seen, facts, ['limit'])]);
    if (limit === undefined) return void implicit(key, seen);
    if (Number(limit) === maxLimit) return void explicit(key, seen);
    const known = [explicit(key, absent), implicit(key, absent)].filter((each) => each !== undefined);
    const [first, second] = known
      .filter((each) => isSameCaller(each, seen))
      .map(({ exchange }) => parseMetrics(exchange));
    if (first === undefined) return undefined;
    const { exchange, metrics } = page;
    const { length } = first.data;
    // The length of a page is only comparable if two requests for the same return the same.
    const isOther = second?.data.length === length && metrics.data.length !== length;
    const expected = `${length} entries, as with limit ${maxLimit}`;
    return [
      ...sameFirstPage(first, page, filledFields(page.groupBy)),
      ...(isOther ? [{ expected, actual: `${metrics.data.length}`, exchange }] : []),
    ];
  };
}
