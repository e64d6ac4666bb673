/** Measures metrics queries against their goals; prints a table when run directly. */
import { accountMetrics } from '../mock/metrics/account-metrics.ts';
import type { MeteredResource } from '../mock/metrics/meters.ts';
import { sampleAccount } from '../mock/testing/sample-account.ts';

export interface MetricsTiming {
  readonly what: string;
  /** CPU time of the thread for one response, from parameters to bytes; the mean of many. */
  readonly milliseconds: number;
  readonly aim: number;
  readonly bytes: number;
}

const SEED = 42;
const NOW = Date.parse('2026-11-15T00:00:00Z');
const WEEK = 'startTime=2026-11-08T00:00:00Z&endTime=2026-11-15T00:00:00Z';
/** 120 months, and as many hours. */
const TEN_YEARS = 'startTime=2016-11-01T00:00:00Z&endTime=2026-11-01T00:00:00Z&resolution=monthly';
const FIVE_DAYS = 'startTime=2026-10-27T00:00:00Z&endTime=2026-11-01T00:00:00Z&resolution=hourly';

export function metricsTimings(): MetricsTiming[] {
  const hundred = sampleAccount(120, SEED, NOW);
  const many = sampleAccount(10_000, SEED, NOW, 3650);
  return [
    timing('page of 100 groups × 168 buckets', 0.8, hundred, `${WEEK}&resolution=hourly&groupBy=resource_uuid`),
    timing('10,000 resources, 120 hours, no groupBy', 20, many, FIVE_DAYS),
    timing('10,000 resources, 120 months, no groupBy', 20, many, TEN_YEARS),
    timing('10,000 resources, 120 hours, one type', 20, many, `${FIVE_DAYS}&resourceType=agent`),
    timing('10,000 resources, 120 months, one type', 20, many, `${TEN_YEARS}&resourceType=agent`),
    timing(
      '10,000 resources, 120 hours, by uuid and dimension',
      20,
      many,
      `${FIVE_DAYS}&groupBy=resource_uuid,billing_dimension`,
    ),
    timing(
      '10,000 resources, 120 months, by uuid and dimension',
      20,
      many,
      `${TEN_YEARS}&groupBy=resource_uuid,billing_dimension`,
    ),
    timing('10,000 resources, first answer after a change', 20, many, TEN_YEARS, true),
    timing('the same by uuid and dimension', 20, many, `${TEN_YEARS}&groupBy=resource_uuid,billing_dimension`, true),
  ];
}

function timing(
  what: string,
  aim: number,
  resources: readonly MeteredResource[],
  parameters: string,
  changed = false,
): MetricsTiming {
  const rounds = aim < 1 ? 1000 : 50;
  let bytes = 0;
  const run = () => {
    for (let round = 0; round < rounds; round += 1) {
      // Another array is what a change of the account's resources looks like.
      bytes = answer(changed ? [...resources] : resources, parameters).length;
    }
  };
  run();
  const before = cpuMilliseconds();
  run();
  return { what, milliseconds: (cpuMilliseconds() - before) / rounds, aim, bytes };
}

/** Of this thread only: other processes and concurrent garbage collection do not count. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function answer(resources: readonly MeteredResource[], parameters: string): Buffer {
  return accountMetrics({
    resources,
    parameters: new URLSearchParams(parameters),
    now: NOW,
    isAccountAdmin: true,
    accountId: 'acc-bench',
    cursorSecret: 'bench',
    seed: SEED,
  });
}

if (import.meta.main) {
  const rows = metricsTimings().map(({ what, milliseconds, aim, bytes }) => ({
    what,
    ms: Number(milliseconds.toFixed(3)),
    aim,
    kB: Math.round(bytes / 1000),
  }));
  console.table(rows);
}
