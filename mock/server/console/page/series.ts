/** Turns metrics groups into the lines of a plot: the dearest, as many as one can tell apart. */
import type { AccountMetricsDataEntry } from '../../../../spec/generated/types.ts';

export interface Series {
  /** Seconds since 1970; a bucket's beginning. */
  readonly times: readonly number[];
  /** The dearest first. */
  readonly groups: readonly { readonly name: string; readonly costs: readonly number[] }[];
}

/** As many as there are colours. */
const MOST_LINES = 6;

export function seriesOf(data: readonly AccountMetricsDataEntry[]): Series {
  const drawn = dearestFirst(data).slice(0, MOST_LINES);
  return {
    times: (drawn[0]?.timeseries ?? []).map(({ timestamp }) => Date.parse(timestamp) / 1000),
    groups: drawn.map((entry) => ({ name: nameOf(entry), costs: entry.timeseries.map(({ cost }) => cost) })),
  };
}

export function dearestFirst(data: readonly AccountMetricsDataEntry[]): AccountMetricsDataEntry[] {
  return data.toSorted((a, b) => b.summary.cost - a.summary.cost);
}

/** What a group is of, as far as the answer says. */
export function nameOf({
  workspace,
  resourceType,
  resourceName,
  resourceUuid,
  billingDimension,
}: AccountMetricsDataEntry): string {
  const parts = [workspace, resourceType, resourceName, resourceUuid, billingDimension];
  return parts.filter((part) => part !== undefined && part !== '').join(' · ') || 'Everything';
}
