/** metrics.pagination.*: what a cursor continues, and which cursors are refused. */
import { neededAccount } from '../target/needed-account.ts';
import * as fc from 'fast-check';
import type { WhatOf } from '../../spec/observations/observation.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isCursorRefusal } from '../engine/cursors.ts';
import { status } from '../expect/status.ts';
import type { Exchange } from '../target/exchange.ts';
import { foreignString, inventedCursor, inventedCursors } from '../generators/invented-value.ts';
import { inOneOrder, parseMetrics, requestMetrics } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { sendVariant, requestVariants } from '../kit/metrics/request-variants.ts';
import type { RequestVariant } from '../kit/metrics/request-variants.ts';
import { filledFields, keyOf } from './entries.ts';
import { percentEncodeAll } from './percent-encode-all.ts';
import { groupingFor, largestGrouping, shortPages } from './sized-groupings.ts';
import type { PagedGrouping } from './sized-groupings.ts';
import { meteredDays } from './metered-days.ts';
import { fetchPages, seenCursor } from './pages.ts';
import type { Page } from './pages.ts';
import { sameResponse } from './same-response.ts';
import { requirement } from '../../spec/requirements/index.ts';

const { maxLimit } = requirement('metrics.pagination.limit-clamped').values;

export async function checkForeignCursorRefused(run: Run): Promise<void> {
  const { query, limit: pageLimit, pages } = await shortPages(run);
  const validCursors = pages.map(({ metrics }) => metrics.meta.nextCursor).filter((cursor) => cursor !== '');
  const refusalMismatches = async (
    variant: RequestVariant,
    cursor: string,
    limit: number | undefined,
  ): Promise<Mismatch[]> => {
    if (validCursors.includes(cursor)) return [];
    const { groupBy } = variant.caller === 'strongest' ? query : { groupBy: 'resource_type' };
    return status(await sendVariant(run, variant, { ...query, groupBy, limit, cursor }), 400);
  };
  const { each, any } = await requestVariants(run, { excluded: ['groupBy', 'limit'] });
  const ofMistakes = Object.entries(inventedCursors).flatMap(([mistake, cursors], at) =>
    cursors.map((cursor) => ({ mistake, cursor, variant: each[at % each.length]! })),
  );
  const ofVariants = each.map((variant) => ({
    mistake: JSON.stringify(variant),
    cursor: 'assay-made-this-up',
    variant,
  }));
  await run.forAll(
    {
      mistake: fc.constant<string>('any'),
      variant: any,
      cursor: inventedCursor,
      limit: fc.constantFrom(undefined, 1, 5, maxLimit),
    },
    ({ variant, cursor, limit }) => refusalMismatches(variant, cursor, limit),
    {
      examples: [...ofMistakes, ...ofVariants].map((example) => ({ ...example, limit: undefined })),
      classOf: ({ mistake }) => mistake,
    },
  );
  await run.forAll(
    { cursor: fc.constantFrom(...validCursors), text: foreignString, before: fc.boolean() },
    // With the query of the cursor: it is foreign to any other query anyway.
    ({ cursor, text, before }) => refusalMismatches(each[0]!, before ? text + cursor : cursor + text, pageLimit),
    {
      examples: [true, false].map((before) => ({ cursor: validCursors[0]!, text: 'assay', before })),
    },
  );
}

interface CursorUse {
  readonly pages: 'of one group' | 'of several groups' | 'without a limit';
  /** From 2: the page after the cursor. */
  readonly page: number;
}

export async function checkCursorRepeatable(run: Run): Promise<void> {
  const single = { ...(await groupingFor(run, 1)), limit: 1 };
  // Not shared: a cursor need not be valid for long.
  const singlePages = await fetchPages(run, { ...single.query, limit: 1 });
  const short = await shortPages(run);
  const largest = { ...(await largestGrouping(run)), limit: undefined };
  const walks = {
    'of one group': { ...single, walked: singlePages },
    'of several groups': { ...short, walked: await fetchPages(run, { ...short.query, limit: short.limit }) },
    'without a limit': { ...largest, walked: await fetchPages(run, largest.query) },
  };
  // Last to first: a cursor is a position, independent of other requests.
  const uses = (Object.keys(walks) as (keyof typeof walks)[])
    .flatMap((pages) => walks[pages].walked.slice(1, 25).map((_, at): CursorUse => ({ pages, page: at + 2 })))
    .toSorted((one, other) => other.page - one.page);
  run.need(uses.length > 0, 'a grouping with more than one page');
  const repeat = async ({ pages, page }: CursorUse): Promise<Mismatch[]> => {
    const { query, set, limit, walked } = walks[pages];
    const cursor = walked[page - 2]!.metrics.meta.nextCursor;
    const found: Mismatch[] = [];
    for (let times = 0; times < 2; times += 1) {
      const use = (next: string) => send(run, pathOf(run, { ...query, limit }, encoded(next)));
      const useTwice = async (next: string) => {
        const first = await use(next);
        return first.response.status === 200 ? use(next) : first;
      };
      const exchange = await followAgain(run, { ...query, limit }, page, cursor, use, useTwice);
      // How often a cursor works is not documented. That it works at all is another rule.
      if (isCursorRefusal(exchange)) return [...found, ...run.skipInput('a cursor that is accepted a second time')];
      const refused = status(exchange, 200);
      if (refused.length > 0) return [...found, ...refused];
      const repeated = { exchange, metrics: parseMetrics(exchange) };
      found.push(...sameResponse(walked[page - 1]!.metrics, repeated, filledFields(set)));
    }
    return found;
  };
  // Sequential, so that the second request follows the first one.
  await run.forEach(uses, repeat, { sequential: true });
}

function pathOf(run: Run, query: MetricsQuery, cursor?: string): string {
  const account = encodeURIComponent(neededAccount(run.target));
  const parameters = Object.entries(inOneOrder(query)).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `/accounts/${account}/metrics?${[...parameters, ...(cursor === undefined ? [] : [`cursor=${cursor}`])].join('&')}`;
}

const send = (run: Run, path: string): Promise<Exchange> =>
  run.client.send({ surface: 'management', method: 'GET', path });

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/**
 * Follows the cursor that leads to a page. If it is refused, then that of a new walk: a target may keep few cursors, each for a
 * short time, or each for one use.
 */
async function followAgain(
  run: Run,
  query: MetricsQuery,
  page: number,
  cursor: string,
  follow: (cursor: string) => Promise<Exchange>,
  followNew = follow,
): Promise<Exchange> {
  const exchange = await follow(cursor);
  if (!isCursorRefusal(exchange)) return exchange;
  return run.cursors.alone(async () => {
    let next: string | undefined;
    for (let at = 1; at < page; at += 1) {
      next = seenCursor(await send(run, pathOf(run, query, next && encoded(next))));
      if (next === undefined) return exchange;
    }
    return followNew(next!);
  });
}

const REQUIRED = 'required characters';

/** Encodings that decode to the same value (RFC 3986 2.1, 6.2.2). */
const encodings: Readonly<Record<string, (text: string) => string>> = {
  [REQUIRED]: encoded,
  'every byte': percentEncodeAll,
  'every byte, in lower-case hex': (text) => percentEncodeAll(text).toLowerCase(),
  'every second character': (text) =>
    [...text.toWellFormed()]
      .map((character, at) => (at % 2 === 0 ? encodeURIComponent(character) : percentEncodeAll(character)))
      .join(''),
};

/** URI length that every server should support (RFC 9110 4.1). Longer encodings are skipped. */
const MAX_URI_OCTETS = 8000;

export async function checkCursorSurvivesEncoding(run: Run): Promise<void> {
  const { query: unlimited, set, limit } = await shortPages(run);
  const query = { ...unlimited, limit };
  const pages = await fetchPages(run, query);
  const names = Object.keys(encodings);
  // From 2: every second page after a cursor. Each of the first inputs has another encoding and another page.
  const later = [...pages.keys()].map((at) => at + 1).filter((page) => page % 2 === 0);
  const inputs = names.flatMap((_, shift) =>
    later.map((page, at) => ({ encoding: names[(at + shift) % names.length]!, page })),
  );
  await run.forEach(inputs, async ({ encoding, page }) => {
    const cursor = pages[page - 2]!.metrics.meta.nextCursor;
    const encode = encodings[encoding]!;
    const isTooLong = `${run.target.addresses.management}${pathOf(run, query, encode(cursor))}`.length > MAX_URI_OCTETS;
    if (isTooLong && encoding !== REQUIRED) return [];
    const exchange = await followAgain(run, query, page, cursor, (next) => send(run, pathOf(run, query, encode(next))));
    const refused = status(exchange, 200);
    if (refused.length > 0) return refused;
    return sameResponse(pages[page - 1]!.metrics, { exchange, metrics: parseMetrics(exchange) }, filledFields(set));
  });
}

/** The status of the response, and whether it continues after the cursor, for any page length. */
async function observedContinuation(run: Run, query: MetricsQuery, { set }: PagedGrouping, usual: Page) {
  const exchange = await requestMetrics(run.client, query);
  if (exchange.response.status !== 200) return { status: exchange.response.status };
  const keys = ({ data }: typeof usual.metrics) => data.map((entry) => keyOf(entry, filledFields(set)));
  const [found, next] = [keys(parseMetrics(exchange)), keys(usual.metrics)];
  const both = Math.min(found.length, next.length);
  const continues = both > 0 && found.slice(0, both).join() === next.slice(0, both).join();
  return { status: 200, continues };
}

export async function observeCursorWithOtherParameters(run: Run): Promise<void> {
  const { limit, pages, ...small } = await shortPages(run);
  const next = pages[1]!;
  const cursor = pages[0]!.metrics.meta.nextCursor;
  const query = { ...small.query, limit, cursor };
  const altered = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
  const queries: Readonly<Record<WhatOf<'metrics.pagination.cursor-with-other-parameters'>, MetricsQuery>> = {
    'a cursor with another limit': { ...query, limit: limit + 1 },
    'a cursor without limit': { ...query, limit: undefined },
    'a cursor with another groupBy': {
      ...query,
      groupBy: small.query.groupBy === 'resource_type' ? 'billing_dimension' : 'resource_type',
    },
    'a cursor with the same groupBy in another order': {
      ...query,
      groupBy: small.query.groupBy.split(',').toReversed().join(','),
    },
    'a cursor without groupBy': { ...query, groupBy: undefined },
    'a cursor with another window': { ...query, ...(await meteredDays(run, 1)) },
    'a cursor with another resolution': { ...query, resolution: 'hourly' },
    'a cursor with another filter': { ...query, billingDimension: 'agent_compute_runtime_gbs' },
    'a cursor with its last character altered': { ...query, cursor: altered },
  };
  for (const what of Object.keys(queries) as (keyof typeof queries)[])
    run.observe(what, await observedContinuation(run, queries[what], small, next));
}
