/** metrics.sums.*: queries of windows and resolutions that cover the same time. */
import * as fc from 'fast-check';
import type { Run } from '../engine/conforms.ts';
import { everyPairOfThree } from '../kit/every-pair-of-three.ts';
import { nestedWindows } from '../kit/generators/inner-window.ts';
import { windowWithin } from '../kit/generators/window.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { bucketStarts } from './buckets.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { rotate } from '../kit/rotate.ts';
import { certainGroupings, finestGrouping, groupings } from './entries.ts';
import { meteredDays, meteredMonth } from './metered-days.ts';
import { entriesOf, sharedWalk } from './pages.ts';
import { baseQueries, drawn, everyGrouping } from './related-queries.ts';
import type { RelatedQueries } from './related-queries.ts';
import { DAY, HOUR, WEEK, endOf, firstOfMonth, startOf, timestamp, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** Each query after its two parts, split at the start of one of its buckets. */
export async function splitWindows(run: Run): Promise<RelatedQueries[]> {
  const month = await meteredMonth(run);
  const months = windowOf(firstOfMonth(endOf(month), -3), firstOfMonth(endOf(month)));
  const week = windowOf(endOf(month) - WEEK, endOf(month));
  const { inTurn } = await baseQueries(run);
  const queries: (readonly [query: MetricsQuery, set: readonly Dimension[], at: number])[] = [
    [{ ...month, resolution: 'daily' }, [], 1],
    [{ ...week, resolution: 'hourly' }, [], 20],
    [{ ...months, resolution: 'monthly' }, finestGrouping(run), 0],
    [{ ...month, resolution: 'weekly' }, ['resource_type', 'billing_dimension'], 2],
    ...rotate(inTurn, groupings(run), 1).map(([query, set], at) => [query, set, at] as const),
  ];
  return Promise.all(queries.map(([query, set, at]) => splitAt(run, grouped(query, set), at)));
}

/** A window with a single bucket cannot be split. */
async function splitAt(run: Run, query: MetricsQuery, at: number): Promise<RelatedQueries> {
  const { pages } = await sharedWalk(run, query);
  const starts = entriesOf(pages).slice(0, 1).flatMap(bucketStarts);
  const boundaries = starts.filter((start) => start > Date.parse(query.startTime!) && start % 1000 === 0);
  const boundary = boundaries[at % Math.max(1, boundaries.length)];
  if (boundary === undefined) return [query];
  return [{ ...query, endTime: timestamp(boundary) }, { ...query, startTime: timestamp(boundary) }, query];
}

/** Windows of whole days at the finest resolution and at each other one. */
export async function resolutionsOfDays(run: Run): Promise<RelatedQueries[]> {
  const month = await meteredMonth(run);
  const sets = [[], ...certainGroupings(run).filter(({ length }) => length === 1)];
  const week = await meteredDays(run, 7);
  const ofDay = windowOf(endOf(week) - DAY, endOf(week));
  const months = windowOf(firstOfMonth(endOf(month), -2), firstOfMonth(endOf(month)));
  const ofWindows = (
    finest: string,
    resolutions: readonly (string | undefined)[],
    [windows, anyWindow]: readonly [readonly Window[], fc.Arbitrary<Window>],
  ): RelatedQueries[] =>
    [
      ...everyPairOfThree(sets, resolutions, windows),
      ...drawn(run, fc.tuple(fc.constantFrom(...sets), fc.constantFrom(...resolutions), anyWindow)),
    ].map(([set, resolution, window]) => [
      grouped({ ...window, resolution: finest }, set),
      grouped({ ...window, resolution }, set),
    ]);
  return [
    ...ofWindows('hourly', ['daily', 'weekly', 'monthly', undefined], [[week, ofDay], windowWithin(week, DAY, WEEK)]),
    ...ofWindows('daily', ['monthly', 'weekly', undefined], [[months, month], windowWithin(months, DAY, 80 * DAY)]),
  ];
}

/** Windows, and others inside them. If ends are rounded to buckets, the inner window is never rounded beyond the outer one. */
export async function innerWindows(run: Run): Promise<RelatedQueries[]> {
  const [month, week] = [await meteredMonth(run), await meteredDays(run, 7)];
  const outer = windowOf(endOf(week) - DAY, endOf(week));
  const nested = fc.oneof(
    nestedWindows(week, HOUR, DAY, 'hourly'),
    nestedWindows(week, DAY, WEEK, 'hourly'),
    nestedWindows(month, DAY, 31 * DAY, 'daily'),
  );
  const sets = fc.constantFrom<Dimension[]>([], ['resource_type'], ['billing_dimension']);
  return [
    ...insideDay(outer).map((inner) => [{ outer, inner, resolution: 'hourly' }, []] as const),
    ...drawn(run, fc.tuple(nested, sets)),
  ].map(([{ outer: whole, inner, resolution }, set]) => [
    grouped({ ...whole, resolution }, set),
    grouped({ ...inner, resolution }, set),
  ]);
}

/** Single hours, parts of hours and all but one end. */
function insideDay(day: Window): Window[] {
  const [start, end] = [startOf(day), endOf(day)];
  return [
    ...Array.from({ length: 24 }, (_, hour) => windowOf(start + hour * HOUR, start + (hour + 1) * HOUR)),
    windowOf(start + 1000, end),
    windowOf(start, end - 1000),
    windowOf(start + 1.5 * HOUR, end - 1.5 * HOUR),
    windowOf(end - HOUR / 4, end - HOUR / 8),
  ];
}

/** Every grouping, some of days with a limit, and of windows that the seed decides. */
export async function repeatedQueries(run: Run): Promise<MetricsQuery[]> {
  const { always, inTurn } = await baseQueries(run);
  const [daily] = always;
  return [
    daily,
    ...(await everyGrouping(run)),
    { ...daily, groupBy: 'billing_dimension', limit: 5 },
    { ...daily, groupBy: 'resource_type', limit: 4 },
    { ...daily, groupBy: 'resource_uuid', limit: 50 },
    ...inTurn,
  ];
}
