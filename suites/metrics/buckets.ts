/** Bucket starts of a timeseries and bucket lengths of each resolution. */
import type { AccountMetricsDataEntry, Resolution } from '../../spec/generated/types.ts';
import { resolutions } from '../../spec/values.ts';
import { instantOf } from '../expect/instant.ts';
import { DAY, HOUR, WEEK } from '../kit/metrics/windows.ts';

export function isResolution(value: unknown): value is Resolution {
  return resolutions.includes(value as Resolution);
}

/** Distinct bucket starts, ascending. Their order and format are checked by another rule. */
export function bucketStarts({ timeseries }: AccountMetricsDataEntry): number[] {
  const starts = timeseries.map((item) => instantOf(item.timestamp)).filter((instant) => instant !== undefined);
  return [...new Set(starts)].sort((a, b) => a - b);
}

/** The end of a whole bucket that starts at `instant`. Months are UTC months; not for days 29 to 31. */
export function bucketEnd(instant: number, resolution: Resolution): number {
  if (resolution === 'monthly') return new Date(instant).setUTCMonth(new Date(instant).getUTCMonth() + 1);
  return instant + { hourly: HOUR, daily: DAY, weekly: WEEK }[resolution];
}

/**
 * Whether a whole bucket can start at `instant`. Always false for weekly buckets, whose alignment is not documented.
 */
export function isAligned(instant: number, resolution: Resolution): boolean {
  if (resolution === 'weekly') return false;
  if (resolution === 'monthly') return instant % DAY === 0 && new Date(instant).getUTCDate() === 1;
  return instant % { hourly: HOUR, daily: DAY }[resolution] === 0;
}
