/** The metrics request that the controls describe. */
import type { AccountMetricsResponse } from '../../../../spec/generated/types.ts';
import { management, ErrorResponse, send } from './send-request.ts';

export interface MetricsQuery {
  readonly groupBy: readonly string[];
  /** Empty: the mock chooses one. */
  readonly resolution: string;
  readonly window: WindowName;
  /** Dates; the end is exclusive. Used if the window is `custom`. */
  readonly start: string;
  readonly end: string;
}

export const windows = {
  day: { title: 'Last 24 hours', hours: 24 },
  week: { title: 'Last 7 days', hours: 7 * 24 },
  month: { title: 'Last 30 days', hours: 30 * 24 },
  quarter: { title: 'Last 90 days', hours: 90 * 24 },
  year: { title: 'Last 365 days', hours: 365 * 24 },
  custom: { title: 'Custom dates', hours: 0 },
} as const;

export type WindowName = keyof typeof windows;

const HOUR_MS = 3_600_000;

/** Ends at the last whole hour of the virtual clock, or at midnight for windows of days. */
export function datesOf({ window, start, end }: MetricsQuery, now: string): { startTime: string; endTime: string } {
  const { hours } = windows[window];
  if (hours === 0) return { startTime: `${start}T00:00:00Z`, endTime: `${end}T00:00:00Z` };
  const step = hours > 7 * 24 ? 24 * HOUR_MS : HOUR_MS;
  const last = Math.floor(Date.parse(now) / step) * step;
  return { startTime: new Date(last - hours * HOUR_MS).toISOString(), endTime: new Date(last).toISOString() };
}

/** Throws ErrorResponse with the mock's message. */
export async function metricsOf(
  account: string,
  { startTime, endTime }: { startTime: string; endTime: string },
  { groupBy, resolution }: MetricsQuery,
): Promise<AccountMetricsResponse> {
  const url = new URL(`accounts/${encodeURIComponent(account)}/metrics`, management);
  url.search = String(
    new URLSearchParams({
      startTime,
      endTime,
      ...(resolution !== '' && { resolution }),
      ...(groupBy.length > 0 && { groupBy: groupBy.join(',') }),
    }),
  );
  const response = await send(url);
  return (await response.json()) as AccountMetricsResponse;
}

export const errorText = (error: unknown): string =>
  error instanceof ErrorResponse ? `${error.status}: ${error.message}` : (error as Error).message;
