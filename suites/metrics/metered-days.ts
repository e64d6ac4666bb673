/** Past days with cost: small responses with all groups. */
import { instantOf } from '../expect/instant.ts';
import { NotTried } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { fetchMetrics } from '../kit/metrics/request.ts';
import { DAY, endOf, hasCost, lastOf, pastWindow, pastWithData, startOf, windowOf } from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

/** Records may arrive late; older ones count as settled. */
const SETTLED_AFTER = 2 * DAY;

/**
 * At most the last month of the past window, which permits every resolution except hourly. Whole UTC days, settled if
 * possible.
 */
export async function meteredMonth(run: Run): Promise<Window> {
  const past = await pastWithData(run);
  const settled = Math.floor((Date.now() - SETTLED_AFTER) / DAY) * DAY;
  const end = Math.min(endOf(past), settled);
  return lastOf(end > startOf(past) ? windowOf(startOf(past), end) : past, 31 * DAY);
}

/** At most this many whole UTC days of that month; the last one is the last day with cost. */
export async function meteredDays(run: Run, days: number): Promise<Window> {
  const month = await meteredMonth(run);
  const metrics = await fetchMetrics(run.client, { ...month, resolution: 'daily' });
  run.need(hasCost(metrics), `metered cost between ${month.startTime} and ${month.endTime}`);
  const meteredAt = metrics.data
    .flatMap(({ timeseries }) => timeseries)
    .filter(({ cost }) => cost !== 0)
    .map(({ timestamp }) => instantOf(timestamp) ?? 0)
    .filter((day) => day >= startOf(month) && day < endOf(month));
  // Without a bucket that has cost, the figures contradict each other on any day.
  const last = Math.max(...meteredAt, ...(meteredAt.length === 0 ? [endOf(month) - DAY] : []));
  return windowOf(Math.max(startOf(month), last + DAY - days * DAY), last + DAY);
}

/** Like meteredDays, or the last days of the past window if nothing was metered: for rules that hold without data. */
export async function anyDays(run: Run, days: number): Promise<Window> {
  try {
    return await meteredDays(run, days);
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    return lastOf(pastWindow(run), days * DAY);
  }
}
