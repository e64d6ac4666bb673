/** Measures a large page of metrics; prints it when run directly. */
import { accountMetrics } from '../mock/metrics/account-metrics.ts';
import { sampleAccount } from '../mock/testing/sample-account.ts';
import { cpuMilliseconds } from './cpu.ts';
import { median } from './median.ts';

export interface PageTiming {
  /** CPU time of the thread from parameters to bytes; the median of several rounds. */
  readonly milliseconds: number;
  /** Of JSON.stringify for the same value: how fast this machine is. */
  readonly stringifyMilliseconds: number;
}

const SEED = 42;
const NOW = Date.parse('2026-11-15T00:00:00Z');
const QUERY = 'startTime=2026-11-08T00:00:00Z&endTime=2026-11-15T00:00:00Z&resolution=hourly&groupBy=resource_uuid';
const ROUNDS = 7;
const WARM_UP_ROUNDS = 3;
const PAGES = 100;

/** A page of 100 groups with 168 buckets, about 0.9 MB. */
export function pageTiming(): PageTiming {
  const resources = sampleAccount(120, SEED, NOW);
  const page = () =>
    accountMetrics({
      resources,
      parameters: new URLSearchParams(QUERY),
      now: NOW,
      isAccountAdmin: true,
      accountId: 'acc-bench',
      cursorSecret: 'bench',
      seed: SEED,
    });
  const value: unknown = JSON.parse(page().toString());
  // One after the other: the garbage of JSON.stringify would be collected while pages are measured.
  return { milliseconds: medianOf(page), stringifyMilliseconds: medianOf(() => JSON.stringify(value)) };
}

function medianOf(work: () => unknown): number {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) timeOf(work);
  return median(Array.from({ length: ROUNDS }, () => timeOf(work)));
}

function timeOf(work: () => unknown): number {
  const before = cpuMilliseconds();
  for (let nth = 0; nth < PAGES; nth += 1) work();
  return (cpuMilliseconds() - before) / PAGES;
}

if (import.meta.main) console.table([pageTiming()]);
