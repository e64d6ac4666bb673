/** Deviations of the buckets of a timeseries: missing, additional, at the wrong time or in the wrong order. */
import type { Effect } from '../deviation.ts';
import { across, type Table } from '../table.ts';
import { all, always } from '../conditions.ts';
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
  response,
  ungrouped,
} from './conditions.ts';
import {
  changeBody,
  changeBuckets,
  dropBuckets,
  emptyBucket,
  rewriteBuckets,
  timestamp,
  type Bucket,
} from './effects.ts';

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

const nothingMetered = response('if nothing was metered', ({ summary }) => summary.totalCost === 0);
const startsAtMidnight = response('from midnight', ({ startTime }) => Date.parse(startTime) % DAY === 0);
const endsWithYear = response('until New Year', ({ endTime }) => endTime.endsWith('-01-01T00:00:00Z'));
const endsWithinMonth = response('until within a month', ({ endTime }) => !endTime.endsWith('-01T00:00:00Z'));
const endsWithinHour = response('until within an hour', ({ endTime }) => !endTime.endsWith(':00:00Z'));
const endsWithinDay = response('until within a day', ({ endTime }) => !endTime.includes('T00:00:00'));

const addAtEndTime = rewriteBuckets(
  (buckets, { endTime }) => [...buckets, emptyBucket(Date.parse(endTime), buckets[0])],
  'add bucket',
);
const addBefore = (step: number): Effect =>
  rewriteBuckets(
    (buckets, { startTime }) => [emptyBucket(Date.parse(startTime) - step, buckets[0]), ...buckets],
    'add bucket',
  );

export const bucketsDeviations: Table = {
  'metrics.buckets.one-per-step-zeros-included': {
    'omits all buckets if nothing was metered': [all(ungrouped, nothingMetered), dropBuckets(() => true)],
    // A missing bucket is a gap, which the other rules of buckets detect in the next three.
    ...across([always, has('resourceType')], { 'omits buckets without activity': dropBuckets(isQuiet) }),
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
      rewriteBuckets((buckets) =>
        buckets.map((each, at) => ({ ...each, timestamp: timestamp(startOf(buckets[0]) + at * 30 * DAY) })),
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
      addBefore(DAY),
    ],
    'omits the last bucket': dropBuckets((_, at, { length }) => at === length - 1),
    'omits the first of several hourly buckets': [
      inBuckets('hourly'),
      dropBuckets((_, at, { length }) => at === 0 && length > 2),
    ],
    ...across(
      [
        all(inBuckets('monthly'), endsWithinMonth),
        all(inBuckets('daily'), endsWithinDay),
        all(inBuckets('hourly'), endsWithinHour),
      ],
      { 'omits the incomplete last bucket': dropBuckets((_, at, { length }) => length > 1 && at === length - 1) },
    ),
    'adds a bucket after December': [all(inBuckets('monthly'), endsWithYear), addAtEndTime],
    'omits the daily bucket of 31 December': [
      inBuckets('daily'),
      dropBuckets((bucket) => bucket.timestamp.slice(5, 10) === '12-31'),
    ],
  },
  'metrics.buckets.same-for-all-groups': {
    // Comparing groups of several pages bucket by bucket detects these two too.
    ...across([longerThan(60), always], { 'adds a bucket on later pages': [laterPage, addBefore(HOUR)] }),
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
  // A bucket at endTime is outside the window, so cover-the-window detects the second for the same requests.
  'metrics.buckets.end-exclusive': across([has('resourceType'), always, requests('weekly')], {
    'adds a bucket at endTime': addAtEndTime,
  }),
};
