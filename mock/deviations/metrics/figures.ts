/** Changes the figures of metrics answers so that they still fit together. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import type { Entry } from './faults.ts';

interface Amount {
  cost: number;
  usage?: number;
}

function scaleAmount(amount: Amount, factor: number): void {
  amount.cost *= factor;
  if (amount.usage !== undefined) amount.usage *= factor;
}

/** Cost and usage of an entry and of its buckets. */
function scaleEntry({ summary, timeseries }: Entry, factor: number): void {
  for (const amount of [summary, ...timeseries]) scaleAmount(amount, factor);
}

/** Every figure of an answer. */
export function scale({ summary, data }: AccountMetricsResponse, factor: number): void {
  summary.totalCost *= factor;
  if (summary.totalUsage !== undefined) summary.totalUsage *= factor;
  for (const entry of data) scaleEntry(entry, factor);
}

/** Two entries that are together what the entry was. */
export function halved(entry: Entry): Entry[] {
  scaleEntry(entry, 0.5);
  return [entry, structuredClone(entry)];
}

/** Takes a group off the page, and off the totals. */
export function takeAway(body: AccountMetricsResponse, entry: Entry | undefined): void {
  if (entry === undefined) return;
  body.data = body.data.filter((other) => other !== entry);
  body.summary.totalCost -= entry.summary.cost;
  if (body.summary.totalUsage !== undefined) body.summary.totalUsage -= entry.summary.usage ?? 0;
}

export function dearest({ data }: AccountMetricsResponse): Entry | undefined {
  return data.toSorted((a, b) => b.summary.cost - a.summary.cost)[0];
}
