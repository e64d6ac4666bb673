/** Turns metrics groups into the lines of a plot: the most expensive ones, as many as there are colors. */
import type { AccountMetricsDataEntry } from '../../../../spec/generated/types.ts';

export interface Series {
  /** Start of each bucket, in seconds since 1970. */
  readonly times: readonly number[];
  /** By cost, descending. */
  readonly groups: readonly { readonly name: string; readonly costs: readonly number[] }[];
}

/** As many as there are colors. */
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

/** The key of a group, as far as the response contains it. */
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
