/** Responses to metrics queries as rules see them in anybody's traffic, and the pages and walks before them. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { MustId } from '../../../spec/requirements/index.ts';
import { isInvalid, status } from '../../expect/status.ts';
import { registerCauses } from '../../engine/other-causes.ts';
import { alsoJudges, judges, refuses } from '../../judge/judgement.ts';
import type { Contexts, Judged, Refusal } from '../../judge/judgement.ts';
import { serverTimeOf, type Facts, type Seen } from '../../judge/seen.ts';
import type { Exchange } from '../../target/exchange.ts';
import type { Dimension } from './dimensions.ts';
import { metricsCauses } from './causes.ts';
import { dimensions } from './dimensions.ts';
import { flawMismatch, parseMetrics, readMetrics } from './request.ts';
import type { SeenWindow } from './seen-query.ts';
import * as query from './seen-query.ts';
import { SECOND } from './windows.ts';

// Whoever judges metrics needs them.
registerCauses('metrics', metricsCauses);

export interface SeenMetrics {
  readonly exchange: Exchange;
  readonly metrics: AccountMetricsResponse;
  /** In the order of the query; empty without groupBy. */
  readonly groupBy: readonly Dimension[];
}

/** Every page of a query for a settled window. */
export interface SeenWalk {
  /** The request for the last page. */
  readonly seen: Seen;
  readonly pages: readonly SeenMetrics[];
  /** In one order. */
  readonly set: readonly Dimension[];
  readonly window: SeenWindow;
}

interface Noted {
  readonly seen: Seen;
  readonly page: SeenMetrics | undefined;
  /** The requests for the pages before it. Undefined if the cursor was not seen, or not for this query. */
  readonly before: readonly Seen[] | undefined;
  /** Undefined until a rule needs it: it depends on parts that a recording may lack. */
  walk?: SeenWalk | undefined;
}

/** What all rules remember of a recording. */
interface Memory {
  newest?: Noted;
  /** The pages of a query up to the one that returned a cursor. */
  readonly pages: Map<string, readonly Seen[]>;
  /** The newest ones, oldest first. */
  readonly walks: SeenWalk[];
}

const memories = new WeakMap<Facts, Memory>();

const MAX_PAGES = 200;
const MAX_WALKS = 30;
/** Characters of their bodies: enough for two walks of an account with some thousand groups. */
const MAX_LENGTH = 4 * 2 ** 20;

/** All rules judge one exchange after the other, so it is noted once for all of them. */
function note(seen: Seen, facts: Facts): Noted {
  const memory = memories.get(facts) ?? { pages: new Map<string, readonly Seen[]>(), walks: [] };
  memories.set(facts, memory);
  if (memory.newest?.seen === seen) return memory.newest;
  if (memory.newest?.walk !== undefined) memory.walks.push(memory.newest.walk);
  forget(memory);
  memory.newest = read(seen, facts, memory);
  return memory.newest;
}

const lengthOf = ({ exchange }: Seen | SeenMetrics): number => exchange.response.text.length;
const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);

function forget({ pages, walks }: Memory): void {
  const lengths = walks.map((walk) => sum(walk.pages.map(lengthOf)));
  while (walks.length > MAX_WALKS || sum(lengths) > MAX_LENGTH) {
    walks.shift();
    lengths.shift();
  }
  let total = sum([...pages.values()].map((list) => lengthOf(list.at(-1)!)));
  for (const [key, list] of pages) {
    if (pages.size <= MAX_PAGES && total <= MAX_LENGTH) return;
    pages.delete(key);
    total -= lengthOf(list.at(-1)!);
  }
}

function read(seen: Seen, facts: Facts, memory: Memory): Noted {
  const isPlain = query.isPlain(seen, facts);
  const cursor = seen.parameter('cursor');
  const key = isPlain ? query.queryKey(seen, facts, ['cursor']) : '';
  const before = cursor === undefined ? [] : isRedacted(cursor) ? undefined : memory.pages.get(key + cursor);
  const metrics = isPlain && before !== undefined && seen.status === 200 ? readMetrics(seen.json) : undefined;
  if (metrics === undefined) return { seen, before, page: undefined };
  const { hasMore, nextCursor } = metrics.meta;
  if (hasMore && typeof nextCursor === 'string' && !isRedacted(nextCursor))
    memory.pages.set(key + nextCursor, [...before!, seen]);
  return { seen, before, page: { exchange: seen.exchange, metrics, groupBy: dimensionsIn(seen) } };
}

/** Recordings replace secrets, and what resembles them, by the same placeholder. */
const isRedacted = (cursor: string): boolean => /^\$[A-Z_]+$|redacted|^[*x.]+$/i.test(cursor);

const dimensionsIn = (seen: Seen): Dimension[] => query.groupByOf(seen).filter(query.isDimension);

function walkOf(last: SeenMetrics, requests: readonly Seen[]): SeenWalk | undefined {
  const seen = requests.at(-1)!;
  const window = query.windowIn(seen);
  const isOfOneCaller = requests.every((each) => query.isSameCaller(each, seen) && query.isSettled(each));
  if (window === undefined || !isOfOneCaller || sum(requests.map(lengthOf)) > MAX_LENGTH) return undefined;
  const pages = requests.slice(0, -1).map(({ exchange }) => ({ ...last, exchange, metrics: parseMetrics(exchange) }));
  const set = dimensions.filter((name) => last.groupBy.includes(name));
  return { seen, pages: [...pages, last], set, window };
}

/**
 * A successful response to a plain query, or the next page of one. Undefined for any other, and for a body that cannot be read
 * as metrics, which metrics.answer.shape-and-echo judges.
 */
export function seenMetrics(seen: Seen, facts: Facts): SeenMetrics | undefined {
  const { page } = note(seen, facts);
  return page !== undefined && query.groupByOf(seen).every(query.isDimension) ? page : undefined;
}

/** The requests for the pages before it: none without a cursor, undefined if the cursor was not seen for this query. */
export const pagesBefore = (seen: Seen, facts: Facts): readonly Seen[] | undefined => note(seen, facts).before;

/** The walk that ends with this page. */
export function seenWalk(seen: Seen, facts: Facts): SeenWalk | undefined {
  const noted = note(seen, facts);
  const { page, before } = noted;
  if (page === undefined || before === undefined || page.metrics.meta.hasMore !== false) return undefined;
  noted.walk ??= walkOf(page, [...before, seen]);
  return noted.walk;
}

/** Earlier walks of the same caller that are related to this one, the newest last. */
export const relatedWalks = (walk: SeenWalk, facts: Facts, isRelated: Relation): SeenWalk[] =>
  (memories.get(facts)?.walks ?? [])
    .filter(({ seen }) => query.isSameCaller(seen, walk.seen))
    .filter((earlier) => isRelated(earlier, walk, facts));

export type Relation = (earlier: SeenWalk, walk: SeenWalk, facts: Facts) => boolean;

/** Whether two walks differ at most in these parameters. */
export const differOnlyIn =
  (...names: readonly string[]): Relation =>
  (earlier, { seen }, facts) =>
    query.queryKey(earlier.seen, facts, ['cursor', ...names]) === query.queryKey(seen, facts, ['cursor', ...names]);

/** With at most this many. */
const MAX_COMPARED = 3;

/** Compares each walk with earlier ones of the same caller. */
export const judgesWalks = (rule: MustId, isRelated: Relation, compare: Compare): void =>
  judges(rule, 'getAccountMetrics', compareWalks(isRelated, compare));

/** Undefined if the two show nothing about the rule. */
type Compare = (earlier: SeenWalk, walk: SeenWalk) => Judged;

/** The same, for a rule that judges more. */
export const compareWalks =
  (isRelated: Relation, compare: Compare) =>
  (seen: Seen, facts: Facts): Judged => {
    const walk = seenWalk(seen, facts);
    const related = walk === undefined ? [] : relatedWalks(walk, facts, isRelated).slice(-MAX_COMPARED);
    const compared = related.map((each) => compare(each, walk!)).filter((judged) => judged !== undefined);
    return compared.length === 0 ? undefined : compared.flat();
  };

/** The rule fails if its sentence makes a response unreadable, about which all judgements of pages say nothing. */
export const judgesShape = (rule: MustId): void =>
  alsoJudges(rule, (seen, facts) => {
    if (seen.status !== 200 || !query.isPlain(seen, facts)) return undefined;
    void seen.json; // Throws if the body is not known.
    const flaw = flawMismatch(seen.exchange);
    return flaw?.cause?.rules.includes(rule) === true ? [flaw] : undefined;
  });

/** Judges each page alone. */
export function judgesPages(
  rule: MustId,
  judge: (page: SeenMetrics, seen: Seen) => Judged,
  contexts: Contexts = {},
): void {
  judges(
    rule,
    'getAccountMetrics',
    (seen, facts) => {
      const page = seenMetrics(seen, facts);
      return page && judge(page, seen);
    },
    contexts,
  );
}

/** A context for each value of a parameter, which may be one of a list in the query. */
export const withEach = (name: string, values: readonly string[]): Contexts =>
  Object.fromEntries(
    values.map((value) => [
      `with ${name}=${value}`,
      (seen: Seen) => seen.parameter(name)?.split(',').includes(value) === true,
    ]),
  );

/** How long a cursor surely works. */
const FRESH = 60 * SECOND;

/** Whether both requests are of the same caller, one soon after the other. */
export function isSoonAfter(first: Seen, second: Seen): boolean {
  const [one = Number.NaN, other = Number.NaN] = [serverTimeOf(first), serverTimeOf(second)];
  return query.isSameCaller(first, second) && other - one <= FRESH;
}

/** Whether nothing can be invalid in the query; its cursor, if any, was just returned to the caller for the same query. */
export function isValid(seen: Seen, facts: Facts, except: readonly string[] = []): boolean {
  const previous = pagesBefore(seen, facts)?.at(-1);
  const isContinued = previous !== undefined && isSoonAfter(previous, seen);
  return query.isValidQuery(seen, facts, isContinued ? [...except, 'cursor'] : except);
}

/** A gateway, which may refuse the size of the headers, has no JSON. */
export const isRefusedAsInvalid = (seen: Seen): boolean => isInvalid(seen.exchange) && seen.json !== undefined;

/** Empty if the query is accepted, a mismatch if it is refused as invalid although nothing in it can be. */
export function acceptance(seen: Seen, facts: Facts, except?: readonly string[]): Judged {
  if (seen.status === 200) return [];
  return isRefusedAsInvalid(seen) && isValid(seen, facts, except) ? status(seen.exchange, 200) : undefined;
}

/** Like `refuses`, for metrics queries with an invalid part: the status is 400. */
export const refusesQuery = (rule: MustId, isFlawed: Refusal['isFlawed']): void =>
  refuses(rule, 'getAccountMetrics', { isFlawed, status: 400, unless: query.isUnclear });
