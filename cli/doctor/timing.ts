/** Measures the latency of the target and the difference of the clocks, and what the latency means for a run. */
import { setTimeout as wait } from 'node:timers/promises';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { DEFAULT_CONCURRENCY, DEFAULT_RUNS } from '../../suites/engine/open-run.ts';
import type { Target } from '../../suites/target/target.ts';
import { describeCount, describeSeconds, estimateRun, estimateSeconds } from '../plan/estimate.ts';
import { LIFETIME_ADVICE, shortCredentials } from '../plan/ending-credentials.ts';
import { failed, passed, skipped, warning } from './check.ts';
import type { Check } from './check.ts';
import { hasResponse } from './prober.ts';
import type { ProbeResponse, Prober } from './prober.ts';

const SAMPLES = 8;
/** Tokens and metrics windows depend on the time. */
const MAX_SKEW_SECONDS = 30;

/** Sends a few requests one after the other. */
export async function checkTiming(target: Target, prober: Prober): Promise<Check[]> {
  const responses: ProbeResponse[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    // A request that waits for the rate limit would seem slow.
    if (target.rate > 0) await wait(1000 / target.rate);
    const result = await prober.call('listAccounts', strongestCaller(target));
    if (hasResponse(result)) responses.push(result);
  }
  const latest = responses.at(-1);
  if (latest === undefined) return [failed('latency', 'no request got a response', 'Check the network.')];
  return [checkClock(latest), ...checkLatency(target, responses)];
}

/** The Date header has a resolution of one second. */
export function checkClock({ headers, startMs, endMs }: Pick<ProbeResponse, 'headers' | 'startMs' | 'endMs'>): Check {
  const date = Date.parse(headers['date'] ?? '');
  if (Number.isNaN(date)) return skipped('clock', 'the target sends no Date header');
  const aheadMs = date > endMs ? date - endMs : Math.min(0, date + 999 - startMs);
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  if (seconds === 0) return passed('clock', 'agrees with the clock of this machine');
  const found = `${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine`;
  return seconds <= MAX_SKEW_SECONDS
    ? passed('clock', found)
    : failed('clock', found, 'Synchronize the clocks (NTP): lifetimes of tokens and metrics windows depend on them.');
}

function checkLatency(target: Target, responses: readonly ProbeResponse[]): Check[] {
  const sorted = responses.map(({ startMs, endMs }) => endMs - startMs).toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  const [median, p90] = [quantile(0.5), quantile(0.9)];
  const estimated = (isQuick: boolean) => {
    const estimate = estimateRun(target, { runs: DEFAULT_RUNS, isQuick });
    const seconds = estimateSeconds(estimate, {
      latencyMs: Math.max(1, median),
      rate: target.rate,
      concurrency: DEFAULT_CONCURRENCY,
    });
    return { seconds, text: `about ${describeSeconds(seconds)} (${describeCount(estimate.requestCount)} requests)` };
  };
  const [run, quickRun] = [estimated(false), estimated(true)];
  const limit = target.rate === 0 ? '' : `, rate: ${target.rate}`;
  return [
    passed('latency', `median ${median} ms, 90th percentile ${p90} ms, of ${responses.length} sequential requests`),
    passed(
      'duration',
      `assay test takes ${run.text}, with --quick ${quickRun.text}: an estimate, allow: ${target.allow}${limit}`,
    ),
    ...shortCredentials(target, run.seconds).map(({ place, found }) =>
      warning(`lifetime of ${place}`, found, LIFETIME_ADVICE),
    ),
  ];
}
