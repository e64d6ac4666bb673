/** Turns metrics groups into the lines of a plot: the most expensive ones, as many as there are colors. */
import type { AccountMetricsDataEntry } from '../../../../spec/generated/types.ts';

export interface Series {
  /** Start of each bucket, in seconds since 1970. */
  readonly times: readonly number[];
  /** By cost, descending. */
  readonly groups: readonly { readonly name: string; readonly costs: readonly number[] }[];
}

/** As many as there are colors. */
const MAX_LINES = 6;

export function seriesOf(data: readonly AccountMetricsDataEntry[]): Series {
  const plotted = byCostDescending(data).slice(0, MAX_LINES);
  return {
    times: (plotted[0]?.timeseries ?? []).map(({ timestamp }) => Date.parse(timestamp) / 1000),
    groups: plotted.map((entry) => ({ name: nameOf(entry), costs: entry.timeseries.map(({ cost }) => cost) })),
  };
}

export function byCostDescending(data: readonly AccountMetricsDataEntry[]): AccountMetricsDataEntry[] {
  return data.toSorted((a, b) => b.summary.cost - a.summary.cost);
}

/** The key of a group, without the parts that the response does not contain. */
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
