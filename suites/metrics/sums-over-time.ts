/** metrics.sums.*: the sums of windows and resolutions that cover the same time. */
import { needFineFigures } from './fine-figures.ts';
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { everyPairOfThree } from '../kit/every-pair-of-three.ts';
import { nestedWindows } from '../kit/generators/inner-window.ts';
import type { Nested } from '../kit/generators/inner-window.ts';
import { queryAt, queryWithin } from '../kit/generators/metrics-query.ts';
import { windowWithin } from '../kit/generators/window.ts';
import { parseMetrics, requestMetrics, grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { bucketSumMismatches } from './bucket-sums.ts';
import { bucketStarts } from './buckets.ts';
import { prependBuckets } from './compared-walks.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { differentGroupings } from './different-groupings.ts';
import { certainGroupings, filledFields, finestGrouping, groupings, keyOf, requestedFields } from './entries.ts';
import type { Entry } from './entries.ts';
import { figureMismatches, figuresBy } from './figures.ts';
import { meteredDays, meteredMonth } from './metered-days.ts';
import { entriesOf, fetchFirstPage, fetchPages } from './pages.ts';
import type { Page } from './pages.ts';
import { sameFirstPage, sameGroups } from './same-response.ts';
import { DAY, HOUR, WEEK, endOf, firstOfMonth, startOf, timestamp, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

export async function checkSplitWindowsAddUp(run: Run): Promise<void> {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const months = windowOf(firstOfMonth(endOf(month), -3), firstOfMonth(endOf(month)));
  const sets = [[], ...groupings(run)];
  await run.forAll(
    {
      baseQuery: fc.oneof(
        queryAt(windowWithin(month, HOUR, 2 * DAY), 'hourly'),
        queryAt(windowWithin(month, DAY, 10 * DAY), 'daily'),
        queryAt(windowWithin(month, DAY, 31 * DAY), 'weekly'),
        queryAt(windowWithin(months, DAY, 92 * DAY), 'monthly'),
      ),
      at: fc.nat({ max: 100 }),
      set: fc.constantFrom(...sets, [], [], ['resource_type'] as Dimension[]),
    },
    ({ baseQuery, at, set }) => splitMismatches(run, baseQuery, at, set),
    {
      examples: [
        { baseQuery: { ...month, resolution: 'daily' }, at: 1, set: [] },
        { baseQuery: { ...windowOf(endOf(month) - WEEK, endOf(month)), resolution: 'hourly' }, at: 20, set: [] },
        { baseQuery: { ...months, resolution: 'monthly' }, at: 0, set: finestGrouping(run) },
        { baseQuery: { ...month, resolution: 'weekly' }, at: 2, set: ['resource_type', 'billing_dimension'] },
      ],
    },
  );
}

/** Splits the window at a bucket start. A window with a single bucket cannot be split. */
async function splitMismatches(
  run: Run,
  baseQuery: MetricsQuery,
  at: number,
  set: readonly Dimension[],
): Promise<Mismatch[]> {
  const whole = await fetchPages(run, grouped(baseQuery, set));
  const start = Date.parse(baseQuery.startTime!);
  const boundaries = entriesOf(whole)
    .slice(0, 1)
    .flatMap(bucketStarts)
    .filter((boundary) => boundary > start && boundary % 1000 === 0);
  const boundary = boundaries[at % Math.max(1, boundaries.length)];
  if (boundary === undefined) return [];
  const first = await fetchPages(run, grouped({ ...baseQuery, endTime: timestamp(boundary) }, set));
  const second = await fetchPages(run, grouped({ ...baseQuery, startTime: timestamp(boundary) }, set));
  const by = (entries: readonly Entry[]) => figuresBy(requestedFields(set), entries);
  const before = entriesOf(whole).slice(0, 1).flatMap(bucketStarts).indexOf(boundary);
  return figureMismatches(
    `the windows before and after ${timestamp(boundary)} together`,
    by([...entriesOf(first), ...entriesOf(second).map((entry) => prependBuckets(entry, before))]),
    by(entriesOf(whole)),
    { exchange: whole[0]!.exchange, wholeOnly: !isAligned(baseQuery) },
  );
}

/**
 * Whether the buckets are independent of the start of the window: every query here starts at an hour or at midnight.
 */
const isAligned = ({ resolution }: MetricsQuery): boolean => resolution === 'hourly' || resolution === 'daily';

export async function checkResolutionsAgree(run: Run): Promise<void> {
  await needFineFigures(run);
  const month = await meteredMonth(run);
  const sets = [[], ...certainGroupings(run).filter(({ length }) => length === 1)];
  const week = await meteredDays(run, 7);
  const ofDay = windowOf(endOf(week) - DAY, endOf(week));
  await checkAgainst(run, 'hourly', ['daily', 'weekly', 'monthly', undefined], {
    windows: [week, ofDay],
    anyWindow: windowWithin(week, DAY, WEEK),
    sets,
  });
  const months = windowOf(firstOfMonth(endOf(month), -2), firstOfMonth(endOf(month)));
  await checkAgainst(run, 'daily', ['monthly', 'weekly', undefined], {
    windows: [months, month],
    anyWindow: windowWithin(months, DAY, 80 * DAY),
    sets,
  });
}

interface ComparedQueries {
  readonly windows: readonly Window[];
  readonly anyWindow: fc.Arbitrary<Window>;
  readonly sets: readonly (readonly Dimension[])[];
}

async function checkAgainst(
  run: Run,
  finest: string,
  resolutions: readonly (string | undefined)[],
  { windows, anyWindow, sets }: ComparedQueries,
): Promise<void> {
  const queries = everyPairOfThree(sets, resolutions, windows);
  await run.forAll(
    {
      window: anyWindow,
      set: fc.constantFrom(...sets),
      resolution: fc.constantFrom(...resolutions),
    },
    ({ window, set, resolution }) => resolutionMismatches(run, window, set, [finest, resolution]),
    {
      examples: queries.map(([set, resolution, window]) => ({ window, set, resolution })),
      all: true,
    },
  );
}

/** The coarser resolution is the sum of the finer one, in total and in each bucket. */
async function resolutionMismatches(
  run: Run,
  window: Window,
  set: readonly Dimension[],
  [finer, coarser]: readonly [string, string | undefined],
): Promise<Mismatch[]> {
  const fine = entriesOf(await fetchPages(run, grouped({ ...window, resolution: finer }, set)));
  const pages = await fetchPages(run, grouped({ ...window, resolution: coarser }, set));
  const of = requestedFields(set);
  const coarse = entriesOf(pages);
  const { exchange } = pages[0]!;
  const name = `${coarser ?? 'the picked resolution'} against ${finer}`;
  const [expected, given] = [figuresBy(of, fine), figuresBy(of, coarse)];
  const found = figureMismatches(name, expected, given, { exchange, wholeOnly: true });
  const items = Map.groupBy(coarse, (entry) => keyOf(entry, of));
  for (const entry of fine) {
    const [twin, ...more] = items.get(keyOf(entry, of)) ?? [];
    if (twin !== undefined && more.length === 0) found.push(...bucketSumMismatches(name, twin, entry, pages[0]!));
  }
  return found.slice(0, 5);
}

export async function checkPastIsStable(run: Run): Promise<void> {
  const month = await meteredMonth(run);
  const sets = [[], ...differentGroupings(run)];
  const days = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await run.forAll(
    { baseQuery: queryWithin(month), set: fc.constantFrom(...sets), limit: fc.constantFrom(undefined, 10) },
    async ({ baseQuery, set, limit }) => {
      const query = grouped({ ...baseQuery, limit }, set);
      const first = await fetchFirstPage(run, query);
      const again = await requestMetrics(run.client, query);
      const refused = status(again, 200);
      if (refused.length > 0) return refused;
      return sameFirstPage(first.metrics, { exchange: again, metrics: parseMetrics(again) }, filledFields(set));
    },
    {
      examples: sets.map((set) => ({ baseQuery: days, set, limit: undefined })),
      // A defect of a cache may show only if no other request comes between the two.
      sequential: true,
    },
  );
  const walked: { set: Dimension[]; limit?: number }[] = [
    { set: ['billing_dimension'], limit: 5 },
    { set: ['resource_type'], limit: 4 },
    { set: ['resource_uuid'], limit: 50 },
    { set: finestGrouping(run) },
  ];
  await run.forEach(
    walked,
    async ({ set, limit }) => {
      const query = grouped({ ...days, limit }, set);
      const [first, again] = [await fetchPages(run, query), await fetchPages(run, query)];
      return sameGroups(first, again, filledFields(set));
    },
    { sequential: true },
  );
}

export async function checkInnerWindowNotMore(run: Run): Promise<void> {
  const month = await meteredMonth(run);
  const week = await meteredDays(run, 7);
  // Both at the same resolution: if ends are rounded to buckets, the inner window is never rounded beyond the outer
  // one.
  await run.forAll(
    {
      nested: fc.oneof(
        nestedWindows(week, HOUR, DAY, 'hourly'),
        nestedWindows(week, DAY, WEEK, 'hourly'),
        nestedWindows(month, DAY, 31 * DAY, 'daily'),
      ),
      set: fc.constantFrom<Dimension[]>([], [], ['resource_type'], ['billing_dimension']),
    },
    async ({ nested: { outer, inner, resolution }, set }) => {
      const outside = await fetchPages(run, grouped({ ...outer, resolution }, set));
      const inside = await fetchPages(run, grouped({ ...inner, resolution }, set));
      const by = (pages: readonly Page[]) => figuresBy(requestedFields(set), entriesOf(pages));
      const what = `${inner.startTime} to ${inner.endTime} inside ${outer.startTime} to ${outer.endTime}`;
      const costs = { wholeOnly: true, costOnly: true, relation: 'not more' } as const;
      return figureMismatches(what, by(outside), by(inside), { ...costs, exchange: inside[0]!.exchange });
    },
    { examples: innerExamples(week) },
  );
}

/** Single hours, parts of hours and all but one end, each inside the last day. */
function innerExamples(week: Window): { nested: Nested; set: Dimension[] }[] {
  const end = endOf(week);
  const outer = windowOf(end - DAY, end);
  const inside = [
    ...Array.from({ length: 24 }, (_, hour) =>
      windowOf(startOf(outer) + hour * HOUR, startOf(outer) + (hour + 1) * HOUR),
    ),
    windowOf(startOf(outer) + 1000, end),
    windowOf(startOf(outer), end - 1000),
    windowOf(startOf(outer) + 1.5 * HOUR, end - 1.5 * HOUR),
    windowOf(end - HOUR / 4, end - HOUR / 8),
  ];
  return inside.map((inner) => ({ nested: { outer, inner, resolution: 'hourly' }, set: [] }));
}
