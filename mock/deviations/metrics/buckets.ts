/** Faults of the buckets of a timeseries: one missing, one too many, at the wrong time, in the wrong order. */
import { deviationsOf } from '../table.ts';
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Deviations } from '../deviation.ts';
import {
  answersInstead,
  asksFor,
  DAY,
  dimensionsOf,
  emptyBucket,
  HOUR,
  isGrouped,
  lengthOf,
  timeseries,
  timestamp,
  type Item,
} from './faults.ts';

const startOf = (item: Item | undefined) => Date.parse(item?.timestamp ?? '');

/** A bucket later or, negative, earlier. */
function moved(item: Item, milliseconds: number): Item {
  return { ...item, timestamp: timestamp(startOf(item) + milliseconds) };
}

/** The start of summer time in Europe, in the hour in which clocks go forward there. */
function isAfterClockChange(item: Item): boolean {
  const instant = startOf(item);
  const year = new Date(instant).getUTCFullYear();
  const [march, october] = [2, 9].map((month) => lastSunday(year, month) + HOUR);
  return instant >= march! && instant < october!;
}

function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0));
  return last.getTime() - last.getUTCDay() * DAY;
}

function oneMoreOnLaterPages({ data }: AccountMetricsResponse, query: URLSearchParams): void {
  if (!query.has('cursor')) return;
  for (const { timeseries: items } of data) items.unshift(emptyBucket(startOf(items[0]) - HOUR, items[0]));
}

export const bucketsDeviations: Deviations = deviationsOf({
  'metrics.buckets.one-per-step-zeros-included': {
    '': answersInstead('leaves out all buckets where nothing at all was metered', (body, query) => {
      if (isGrouped(query) || body.summary.totalCost !== 0) return;
      for (const entry of body.data) entry.timeseries = [];
    }),
    // A bucket that is left out is a gap: the other rules of buckets see the next three as well.
    'no-zeros': timeseries('leaves out buckets without activity', (items) => items.filter(({ cost }) => cost !== 0)),
    filtered: timeseries('leaves out buckets without activity where a resource type is given', (items, _, query) =>
      query.has('resourceType') ? items.filter(({ cost }) => cost !== 0) : items,
    ),
    'no-quiet-ends': timeseries('leaves out buckets without activity before the first with some', (items) =>
      items.slice(
        Math.max(
          0,
          items.findIndex(({ cost }) => cost !== 0),
        ),
      ),
    ),
    'zero-without-cost': timeseries('gives buckets without activity no cost', (items) =>
      items.map((item) => (item.cost === 0 ? ({ ...item, cost: undefined } as never) : item)),
    ),
    'newest-first': timeseries('gives the newest bucket first with weekly', (items, { resolution }) =>
      resolution === 'weekly' ? items.toReversed() : items,
    ),
    'blank-for-t': timeseries('writes a blank in place of T with monthly', (items, { resolution }) =>
      resolution === 'monthly'
        ? items.map((item) => ({ ...item, timestamp: item.timestamp.replace('T', ' ') }))
        : items,
    ),
    twice: timeseries('gives the last bucket twice in grouped questions', (items, _, query) =>
      isGrouped(query) && items.length > 2 ? [...items, emptyBucket(startOf(items.at(-1)), items.at(-1))] : items,
    ),
  },

  'metrics.buckets.step-lengths': {
    '': timeseries('has a bucket in the middle of the second of ten weeks or more', (items, { resolution }) => {
      const second = items[1];
      if (resolution !== 'weekly' || second === undefined || items.length < 10) return items;
      return items.toSpliced(2, 0, emptyBucket(startOf(second) + 3 * DAY, second));
    }),
    'thirty-days': timeseries('takes 30 days for a month', (items, { resolution }) =>
      resolution === 'monthly'
        ? items.map((item, at) =>
            at === 0 ? item : { ...item, timestamp: timestamp(startOf(items[0]) + at * 30 * DAY) },
          )
        : items,
    ),
    'daylight-saving': timeseries('has days of Europe, an hour earlier in summer', (items, { resolution }) =>
      resolution === 'daily' && items.some((item) => !isAfterClockChange(item))
        ? items.map((item) => (isAfterClockChange(item) ? moved(item, -HOUR) : item))
        : items,
    ),
    'skipped-hour': timeseries('has no hour in which clocks go forward in Europe', (items, { resolution }) =>
      resolution === 'hourly'
        ? items.filter((item, at) => at === 0 || isAfterClockChange(item) === isAfterClockChange(items[at - 1]!))
        : items,
    ),
  },

  'metrics.buckets.cover-the-window': {
    '': timeseries(
      'has a bucket of the day before a window that begins at midnight',
      (items, { resolution, startTime }) =>
        resolution === 'daily' && Date.parse(startTime) % DAY === 0
          ? [emptyBucket(Date.parse(startTime) - DAY, items[0]), ...items]
          : items,
    ),
    'last-missing': timeseries('leaves out the last bucket', (items) => items.slice(0, -1)),
    'first-late': timeseries('leaves out the bucket that the window begins in with hourly', (items, { resolution }) =>
      resolution === 'hourly' && items.length > 2 ? items.slice(1) : items,
    ),
    'unaligned-end': timeseries('leaves out the rest of a month at the end', (items, { resolution, endTime }) =>
      resolution === 'monthly' && items.length > 1 && !endTime.endsWith('-01T00:00:00Z') ? items.slice(0, -1) : items,
    ),
  },

  'metrics.buckets.same-for-all-groups': {
    '': answersInstead('has one more bucket on later pages of windows of more than 60 days', (body, query) => {
      if (lengthOf(query) > 60 * DAY) oneMoreOnLaterPages(body, query);
    }),
    // Whoever compares groups of several pages bucket by bucket finds this as well.
    'later-pages': answersInstead('has one more bucket on every page but the first', oneMoreOnLaterPages),
    // Buckets that begin late do not cover the window either.
    'second-late': answersInstead(
      'dates the buckets of all groups but the first a second late, with two or more dimensions',
      (body, query) => {
        if (dimensionsOf(query).length < 2) return;
        for (const entry of body.data.slice(1)) entry.timeseries = entry.timeseries.map((item) => moved(item, 1000));
      },
    ),
    last: answersInstead('lets the last of many groups end a bucket early', (body) => {
      if (body.data.length < 20) return;
      body.data.at(-1)!.timeseries.pop();
    }),
  },

  'metrics.buckets.end-exclusive': {
    '': timeseries('has a bucket at endTime where resourceType is given', (items, { endTime }, query) =>
      query.has('resourceType') ? [...items, emptyBucket(Date.parse(endTime), items[0])] : items,
    ),
    // A bucket at endTime is none of the window: cover-the-window says so as well, where it asks the same.
    always: timeseries('has a bucket at endTime', (items, { endTime }) => [
      ...items,
      emptyBucket(Date.parse(endTime), items[0]),
    ]),
    weekly: timeseries('has a bucket at endTime with weekly', (items, { endTime }, query) =>
      asksFor(query, 'weekly') ? [...items, emptyBucket(Date.parse(endTime), items[0])] : items,
    ),
  },
});
