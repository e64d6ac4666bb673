/** Time windows of metrics queries, and the past window of the target. */
import type { AccountMetricsResponse } from '../../../spec/generated/types.ts';
import { MORE_USAGE } from '../../../spec/requirements/need-advice.ts';
import type { Run } from '../../engine/conforms.ts';
import { fetchMetrics } from './request.ts';

/** As sent: spread into a query. The end is exclusive. */
export interface Window {
  readonly startTime: string;
  readonly endTime: string;
}

export const SECOND = 1000;
export const HOUR = 3600 * SECOND;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** RFC 3339 in UTC without a fraction. `instant`: milliseconds since 1970, whole seconds. */
export function timestamp(instant: number): string {
  return new Date(instant).toISOString().replace('.000Z', 'Z');
}

export function windowOf(start: number, end: number): Window {
  return { startTime: timestamp(start), endTime: timestamp(end) };
}

export function startOf({ startTime }: Window): number {
  return Date.parse(startTime);
}

export function endOf({ endTime }: Window): number {
  return Date.parse(endTime);
}

/** Milliseconds. */
export function lengthOf(window: Window): number {
  return endOf(window) - startOf(window);
}

/** Midnight UTC of the first day of the month, `months` later (earlier if negative). */
export function firstOfMonth(instant: number, months = 0): number {
  const date = new Date(instant);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months);
}

/**
 * The whole UTC days of the target's past window. If it contains none: the day it ends in or, if that day is not
 * over, the day before.
 */
export function pastWindow({ target }: Pick<Run, 'target'>): Window {
  const { window } = target.metrics;
  const start = Math.ceil(Date.parse(window.start) / DAY) * DAY;
  const end = Math.floor(Date.parse(window.end) / DAY) * DAY;
  return end > start ? windowOf(start, end) : dayAround(Date.parse(window.end));
}

/** The UTC day that contains this end if it is over, otherwise the last day that is. */
function dayAround(instant: number): Window {
  const end = Math.min(Math.ceil(instant / DAY), Math.floor(Date.now() / DAY)) * DAY;
  return windowOf(end - DAY, end);
}

/** Records may arrive late; older ones count as settled. */
const SETTLED_AFTER = 2 * DAY;

/** Whether a window that ends then is settled: its figures no longer change. */
export const isSettledAt = (end: number, now: number): boolean => end <= now - SETTLED_AFTER;

/** The days of the past window that are settled; all of them if none is. */
export function settledWindow(run: Pick<Run, 'target'>): Window {
  const past = pastWindow(run);
  const settled = Math.floor((Date.now() - SETTLED_AFTER) / DAY) * DAY;
  const end = Math.min(endOf(past), settled);
  return end > startOf(past) ? windowOf(startOf(past), end) : past;
}

/**
 * The last two settled days, for rules that need any window: usually the days of `meteredDays` too, so that all of these
 * rules share their requests.
 */
export const recentDays = (run: Pick<Run, 'target'>): Window => lastOf(settledWindow(run), 2 * DAY);

/** The last settled day, for rules that may depend on a window of more than a day. */
export const recentDay = (run: Pick<Run, 'target'>): Window => lastOf(settledWindow(run), DAY);

/** The past window if it has cost. Throws NotTried otherwise. */
export async function pastWithData(run: Run): Promise<Window> {
  const past = pastWindow(run);
  run.need(hasCost(await fetchMetrics(run.client, { ...past })), meteredCostIn(past));
  return past;
}

/** What a target lacks without cost in this window. */
export const meteredCostIn = ({ startTime, endTime }: Window): string =>
  `metered cost between ${startTime} and ${endTime}: ${MORE_USAGE}`;

const CENT = 0.01;

/**
 * Whether the response has cost: a total, or groups or buckets whose sum cannot be rounded to zero. If only some of them have
 * cost, the rules about sums report it.
 */
export function hasCost({ summary, data }: AccountMetricsResponse): boolean {
  const ofGroups = data.map((entry) => entry.summary.cost);
  const ofBuckets = data.flatMap(({ timeseries }) => timeseries.map(({ cost }) => cost));
  const isWorthACent = (costs: readonly number[]): boolean =>
    // metrics.cost.always-there judges costs that are not numbers.
    Math.abs(costs.reduce((sum, cost) => sum + Number(cost), 0)) >= CENT;
  return summary.totalCost !== 0 || isWorthACent(ofGroups) || isWorthACent(ofBuckets);
}

/** The last `length` milliseconds of a window. */
export function lastOf(window: Window, length: number): Window {
  return windowOf(Math.max(startOf(window), endOf(window) - length), endOf(window));
}
