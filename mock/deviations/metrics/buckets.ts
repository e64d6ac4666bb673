/** Deviations of the buckets of a timeseries: missing, additional, at the wrong time or in the wrong order. */
import type { Effect } from '../deviation.ts';
import type { Table } from '../table.ts';
import { all, when } from '../conditions.ts';
import { isLeapDay, isSummerTime } from './calendar.ts';
import {
  DAY,
  dimensionCount,
  grouped,
  has,
  HOUR,
  inBuckets,
  laterPage,
  longerThan,
  requests,
  ungrouped,
} from './conditions.ts';
import {
  changeBody,
  changeBuckets,
  dropBuckets,
  emptyBucket,
  rewriteBuckets,
  timestamp,
  type Body,
  type Bucket,
} from './effects.ts';
import { bodyOf } from '../../wrap/wrapping.ts';

const startOf = (bucket: Bucket | undefined): number => Date.parse(bucket?.timestamp ?? '');
const isQuiet = ({ cost }: Bucket): boolean => cost === 0;
/** 07:00 UTC on the second Sunday of March. */
const isSkippedInNewYork = (instant: number): boolean => {
  const time = new Date(instant);
  const [month, day] = [time.getUTCMonth(), time.getUTCDate()];
  return month === 2 && day > 7 && day <= 14 && time.getUTCDay() === 0 && time.getUTCHours() === 7;
};
const isInSummer = (bucket: Bucket): boolean => isSummerTime(startOf(bucket));
const shifted = (bucket: Bucket, milliseconds: number): Bucket => ({
  ...bucket,
  timestamp: timestamp(startOf(bucket) + milliseconds),
});

const response = (name: string, holds: (body: Body) => boolean) =>
  when(name, (ctx) => ctx.state.reply?.status === 200 && holds(bodyOf(ctx) as Body));
const nothingMetered = response('nothing metered', ({ summary }) => summary.totalCost === 0);
const startsAtMidnight = response('start at midnight', ({ startTime }) => Date.parse(startTime) % DAY === 0);
const endsWithYear = response('end at New Year', ({ endTime }) => endTime.endsWith('-01-01T00:00:00Z'));
const endsWithinMonth = response('end within a month', ({ endTime }) => !endTime.endsWith('-01T00:00:00Z'));

const endsWithinHour = response('end within an hour', ({ endTime }) => !endTime.endsWith(':00:00Z'));
const endsWithinDay = response('end within a day', ({ endTime }) => !endTime.includes('T00:00:00'));

const addAtEndTime = rewriteBuckets(
  (buckets, { endTime }) => [...buckets, emptyBucket(Date.parse(endTime), buckets[0])],
  'add bucket',
);
const addBeforeFirst: Effect = rewriteBuckets(
  (buckets) => [emptyBucket(startOf(buckets[0]) - HOUR, buckets[0]), ...buckets],
  'add bucket',
);
const dropLastOfSeveral = dropBuckets((_, at, { length }) => length > 1 && at === length - 1);

export const bucketsDeviations: Table = {
  'metrics.buckets.one-per-step-zeros-included': {
    'omits all buckets if nothing was metered': [all(ungrouped, nothingMetered), dropBuckets(() => true)],
    // A missing bucket is a gap, which the other rules of buckets detect in the next three.
    'omits buckets without activity': dropBuckets(isQuiet),
    'omits buckets without activity if resourceType is sent': [has('resourceType'), dropBuckets(isQuiet)],
    'omits buckets without activity before the first with some': dropBuckets(
      (_, at, buckets) => at < buckets.findIndex(({ cost }) => cost !== 0),
    ),
    'omits the cost of buckets without activity': rewriteBuckets((buckets) =>
      buckets.map((each) => (isQuiet(each) ? ({ ...each, cost: undefined } as never) : each)),
    ),
    'returns the newest bucket first for weekly': [
      inBuckets('weekly'),
      rewriteBuckets((buckets) => buckets.toReversed()),
    ],
    'returns a space instead of T in monthly timestamps': [
      inBuckets('monthly'),
      changeBuckets((bucket) => (bucket.timestamp = bucket.timestamp.replace('T', ' '))),
    ],
    'returns the last bucket twice if grouped': [
      grouped,
      rewriteBuckets(
        (buckets) =>
          buckets.length > 2 ? [...buckets, emptyBucket(startOf(buckets.at(-1)), buckets.at(-1))] : buckets,
        'add bucket',
      ),
    ],
    'omits the bucket of 29 February': dropBuckets((bucket) => isLeapDay(bucket.timestamp)),
  },
  'metrics.buckets.step-lengths': {
    'adds a bucket within the second of at least ten weeks': [
      inBuckets('weekly'),
      rewriteBuckets((buckets) => {
        const { 1: second, length } = buckets;
        if (second === undefined || length < 10) return buckets;
        return buckets.toSpliced(2, 0, emptyBucket(startOf(second) + 3 * DAY, second));
      }, 'add bucket'),
    ],
    'returns months of 30 days': [
      inBuckets('monthly'),
      rewriteBuckets(([first, ...others]) =>
        first === undefined
          ? []
          : [
              first,
              ...others.map((each, at) => ({ ...each, timestamp: timestamp(startOf(first) + (at + 1) * 30 * DAY) })),
            ],
      ),
    ],
    'returns days of European local time': [
      inBuckets('daily'),
      rewriteBuckets((buckets) =>
        buckets.every(isInSummer) ? buckets : buckets.map((each) => (isInSummer(each) ? shifted(each, -HOUR) : each)),
      ),
    ],
    'omits the hour in which European clocks go forward': [
      inBuckets('hourly'),
      dropBuckets((bucket, at, buckets) => at > 0 && isInSummer(bucket) !== isInSummer(buckets[at - 1]!)),
    ],
    'omits the hour in which clocks in New York go forward': [
      inBuckets('hourly'),
      dropBuckets((bucket, at) => at > 0 && isSkippedInNewYork(startOf(bucket))),
    ],
  },
  'metrics.buckets.cover-the-window': {
    'adds a bucket of the previous day if the window starts at midnight': [
      all(inBuckets('daily'), startsAtMidnight),
      rewriteBuckets(
        (buckets, { startTime }) => [emptyBucket(Date.parse(startTime) - DAY, buckets[0]), ...buckets],
        'add bucket',
      ),
    ],
    'omits the last bucket': dropBuckets((_, at, { length }) => at === length - 1),
    'omits the first of several hourly buckets': [
      inBuckets('hourly'),
      dropBuckets((_, at, { length }) => at === 0 && length > 2),
    ],
    'omits the incomplete last month': [all(inBuckets('monthly'), endsWithinMonth), dropLastOfSeveral],
    'omits the incomplete last day': [all(inBuckets('daily'), endsWithinDay), dropLastOfSeveral],
    'omits the incomplete last hour': [all(inBuckets('hourly'), endsWithinHour), dropLastOfSeveral],
    'adds a bucket after December': [all(inBuckets('monthly'), endsWithYear), addAtEndTime],
    'omits the daily bucket of 31 December': [
      inBuckets('daily'),
      dropBuckets((bucket) => bucket.timestamp.slice(5, 10) === '12-31'),
    ],
  },
  'metrics.buckets.same-for-all-groups': {
    'adds a bucket on later pages of windows longer than 60 days': [all(longerThan(60), laterPage), addBeforeFirst],
    // Comparing groups of several pages bucket by bucket detects this too.
    'adds a bucket on every page but the first': [laterPage, addBeforeFirst],
    // Buckets that start late do not cover the window either.
    'shifts the buckets of all groups but the first by a second for several dimensions': [
      dimensionCount(2, Infinity),
      changeBody(({ data }) => {
        for (const entry of data.slice(1)) entry.timeseries = entry.timeseries.map((each) => shifted(each, 1000));
      }, 'shift buckets'),
    ],
    'omits the last bucket of the last of at least 20 groups': changeBody(({ data }) => {
      if (data.length >= 20) data.at(-1)!.timeseries.pop();
    }, 'drop buckets'),
  },
  'metrics.buckets.end-exclusive': {
    'adds a bucket at endTime if resourceType is sent': [has('resourceType'), addAtEndTime],
    // A bucket at endTime is outside the window, so cover-the-window detects it for the same requests.
    'adds a bucket at endTime': addAtEndTime,
    'adds a bucket at endTime for weekly': [requests('weekly'), addAtEndTime],
  },
};
