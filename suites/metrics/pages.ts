/** The pages of a metrics query, walked to the end. */
import type { AccountMetricsResponse } from '../../spec/generated/types.ts';
import type { Run } from '../engine/conforms.ts';
import type { Mismatch } from '../target/violation.ts';
import { status } from '../expect/status.ts';
import type { Client, Exchange } from '../target/client.ts';
import { needSuccess } from '../kit/metrics/causes.ts';
import { inOneOrder, isReadable, parseMetrics, requestMetrics } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { createSizedCache } from '../engine/sized-cache.ts';
import type { SizedCache } from '../engine/sized-cache.ts';
import type { Entry } from './entries.ts';

/** Characters of the pages of all walks that a run keeps: few enough for a run on the mock in 400 MB. */
const MAX_KEPT = 5 * 2 ** 20;
const walksOfRun = sharedValue<SizedCache<Walk>>();

export interface Page {
  readonly exchange: Exchange;
  readonly metrics: AccountMetricsResponse;
}

export interface Walk {
  readonly pages: readonly Page[];
  /** Why the walk is incomplete: a page was refused, or the pages do not end. */
  readonly failure?: Mismatch;
}

/** A walk stops after this many pages. */
export const MAX_PAGES = 400;

/** Called after a page that is followed by another. `at`: number of pages before it. */
export type Between = (page: Page, at: number) => Promise<void>;

/** Follows nextCursor to the last page; never follows a cursor twice. */
export async function walk(client: Client, query: MetricsQuery, between?: Between): Promise<Walk> {
  const pages: Page[] = [];
  const followed = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const exchange = await requestMetrics(client, cursor === undefined ? query : { ...query, cursor });
    const refused = status(exchange, 200)[0];
    if (refused !== undefined) return { pages, failure: refused };
    const metrics = parseMetrics(exchange);
    pages.push(pageOf(exchange));
    const next = cursorAfter(metrics, query);
    if (next === undefined) return { pages };
    const isEndless = followed.has(next) || pages.length === MAX_PAGES;
    if (isEndless)
      return {
        pages,
        failure: { expected: 'pages that end', actual: describeEndlessWalk(pages, followed, next), exchange },
      };
    followed.add(next);
    cursor = next;
    await between?.(pageOf(exchange), pages.length - 1);
  }
}

/** Pages may be kept for a long time, but not what large ones are parsed to. */
const pageOf = (exchange: Exchange): Page => ({
  exchange,
  get metrics() {
    return parseMetrics(exchange);
  },
});

/** A refused page may not be refused again. */
const lengthOf = ({ pages, failure }: Walk): number | undefined =>
  failure !== undefined && failure.exchange.response.status !== 200
    ? undefined
    : pages.reduce((length, { exchange }) => length + exchange.response.text.length, 0);

/** The same, but only once per run unless the account is so large that the run cannot keep its walks. */
export async function sharedWalk(run: Run, query: MetricsQuery): Promise<Walk> {
  const walks = await walksOfRun.get(run, async () => createSizedCache(MAX_KEPT, lengthOf));
  return walks.get(JSON.stringify(inOneOrder(query)), () => walk(run.client, query));
}

/** The cursor of the next page. Undefined if there is none, or if the response is no readable success. */
export function seenCursor(exchange: Exchange): string | undefined {
  if (exchange.response.status !== 200 || !isReadable(exchange)) return undefined;
  const { hasMore, nextCursor } = parseMetrics(exchange).meta;
  return hasMore && typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
}

/** Other rules check that hasMore and nextCursor agree and that ungrouped responses have no next page. */
function cursorAfter({ meta }: AccountMetricsResponse, { groupBy }: MetricsQuery): string | undefined {
  const hasNext =
    groupBy !== undefined && meta.hasMore && typeof meta.nextCursor === 'string' && meta.nextCursor !== '';
  return hasNext ? meta.nextCursor : undefined;
}

function describeEndlessWalk(pages: readonly Page[], followed: ReadonlySet<string>, next: string): string {
  return followed.has(next) ? `page ${pages.length} leads back to an earlier page` : `more than ${MAX_PAGES} pages`;
}

/**
 * Every page of a valid query. Throws NotTried if one is refused or they do not end:
 * metrics.pagination.every-group-once checks that.
 */
export const fetchPages = async (run: Run, query: MetricsQuery): Promise<readonly Page[]> =>
  pagesOf(run, query, await walk(run.client, query));

/** The same from `sharedWalk`. */
export const sharedPages = async (run: Run, query: MetricsQuery): Promise<readonly Page[]> =>
  pagesOf(run, query, await sharedWalk(run, query));

async function pagesOf(run: Run, query: MetricsQuery, { pages, failure }: Walk): Promise<readonly Page[]> {
  if (pages.length === 0 && failure !== undefined) await needSuccess(run, failure.exchange, JSON.stringify(query));
  run.need(failure === undefined, `every page of ${JSON.stringify(query)} (${failure?.actual})`);
  return pages;
}

export function entriesOf(pages: readonly Page[]): Entry[] {
  return pages.flatMap(({ metrics }) => metrics.data);
}

/** The first page of a valid query. Throws NotTried if it is refused. */
export async function fetchFirstPage(run: Run, query: MetricsQuery): Promise<Page> {
  const exchange = await requestMetrics(run.client, query);
  await needSuccess(run, exchange, JSON.stringify(query));
  return { exchange, metrics: parseMetrics(exchange) };
}
