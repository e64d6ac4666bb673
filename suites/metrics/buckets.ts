/** The buckets of an entry's timeseries as instants, and how long a bucket of each resolution is. */
import type { AccountMetricsDataEntry, Resolution } from '../../spec/generated/types.ts';
import { resolutions } from '../../spec/values.ts';
import { instantOf } from '../expect/instant.ts';
import { DAY, HOUR, WEEK } from '../kit/metrics/windows.ts';

export function isResolution(value: unknown): value is Resolution {
  return resolutions.includes(value as Resolution);
}

/** Where the buckets start, ascending and each once: their order and form are a rule of their own. */
export function bucketStarts({ timeseries }: AccountMetricsDataEntry): number[] {
  const starts = timeseries.map((item) => instantOf(item.timestamp)).filter((instant) => instant !== undefined);
  return [...new Set(starts)].sort((a, b) => a - b);
}

/** Where a whole bucket that starts at `instant` ends. Months are those of UTC; not for days 29 to 31. */
export function bucketEnd(instant: number, resolution: Resolution): number {
  if (resolution === 'monthly') return new Date(instant).setUTCMonth(new Date(instant).getUTCMonth() + 1);
  return instant + { hourly: HOUR, daily: DAY, weekly: WEEK }[resolution];
}

/** Whether buckets can begin at `instant` and be whole; never known of weekly ones, whose alignment is not documented. */
export function isAligned(instant: number, resolution: Resolution): boolean {
  if (resolution === 'weekly') return false;
  if (resolution === 'monthly') return instant % DAY === 0 && new Date(instant).getUTCDate() === 1;
  return instant % { hourly: HOUR, daily: DAY }[resolution] === 0;
}
