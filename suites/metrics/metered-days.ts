/** Past days with cost: small responses with all groups. */
import { instantOf } from '../expect/instant.ts';
import { NotTried } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { fetchMetrics } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { sharedValue } from '../engine/shared-values.ts';
import {
  DAY,
  HOUR,
  endOf,
  hasCost,
  lastOf,
  meteredCostIn,
  pastWithData,
  settledWindow,
  startOf,
  windowOf,
} from '../kit/metrics/windows.ts';
import type { Window } from '../kit/metrics/windows.ts';

interface MeteredTime {
  readonly month: Window;
  /** The end of the last day with cost. */
  readonly end: number;
}

const timeOfRun = sharedValue<MeteredTime>({ keepsErrors: false });

/** Determined once per run, also for rules that share no responses. An error is not kept. */
const meteredTime = (run: Run): Promise<MeteredTime> => timeOfRun.get(run, () => findMeteredTime(run));

/**
 * At most the last month of the past window, which permits every resolution except hourly. Whole UTC days, settled if
 * possible.
 */
export const meteredMonth = async (run: Run): Promise<Window> => (await meteredTime(run)).month;

/** At most this many whole UTC days of that month; the last one is the last day with cost. */
export async function meteredDays(run: Run, days: number): Promise<Window> {
  const { month, end } = await meteredTime(run);
  return windowOf(Math.max(startOf(month), end - days * DAY), end);
}

async function findMeteredTime(run: Run): Promise<MeteredTime> {
  await pastWithData(run);
  const month = lastOf(settledWindow(run), 31 * DAY);
  const metrics = await fetchMetrics(run.client, { ...month, resolution: 'daily' });
  run.need(hasCost(metrics), meteredCostIn(month));
  const meteredAt = metrics.data
    .flatMap(({ timeseries }) => timeseries)
    .filter(({ cost }) => cost !== 0)
    .map(({ timestamp }) => instantOf(timestamp) ?? 0)
    .filter((day) => day >= startOf(month) && day < endOf(month));
  // Without a bucket that has cost, the figures contradict each other on any day.
  const last = Math.max(...meteredAt, ...(meteredAt.length === 0 ? [endOf(month) - DAY] : []));
  return { month, end: last + DAY };
}

/** Like meteredDays, or the last days of the past window if nothing was metered: for rules that hold without data. */
export async function anyDays(run: Run, days: number): Promise<Window> {
  try {
    return await meteredDays(run, days);
  } catch (error) {
    if (!(error instanceof NotTried)) throw error;
    return lastOf(settledWindow(run), days * DAY);
  }
}

export type MeteredQueries = Readonly<Record<'hourly' | 'daily' | 'weekly' | 'monthly' | 'picked', MetricsQuery>>;

/**
 * One query with cost for each resolution, and one for the picked resolution, hourly. Rules that need several resolutions
 * send these, so that they share the responses. Hourly ones have a limit if they are grouped, because of their many buckets.
 */
export async function meteredQueries(run: Run): Promise<MeteredQueries> {
  const [days, month] = [await meteredDays(run, 2), await meteredMonth(run)];
  return {
    hourly: { ...lastOf(days, DAY), resolution: 'hourly', limit: 25 },
    daily: { ...days, resolution: 'daily' },
    weekly: { ...month, resolution: 'weekly' },
    monthly: { ...month, resolution: 'monthly' },
    picked: { ...lastOf(days, 6 * HOUR) },
  };
}
