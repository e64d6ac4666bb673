/** What a run of the suites costs. */
import { runCost, runSize } from '../conformance-run.ts';
import type { Row } from '../row.ts';

export async function rows(): Promise<Row[]> {
  return [
    await runRow('run against a target with 100 ms of latency', false, '≤ 10,000 requests, ≥ 6 in flight'),
    await runRow('the same with --quick', true, '≤ 1,500 requests, ≥ 6 in flight'),
    await timedRunRow('on loopback', 0, '≤ 2 s'),
    await timedRunRow('100 ms of latency', 100, '≤ 4 s'),
    ...(await runSizeRows('a run')),
    ...(await runSizeRows('a run with --quick', '--quick')),
  ];
}

async function runRow(what: string, isQuick: boolean, goal: string): Promise<Row> {
  const { requests, inFlight } = await runCost({ isQuick });
  return { what, measured: `${requests} requests without the clean-up, ${inFlight.toFixed(1)} in flight`, goal };
}

const TIME_SECONDS = 10;

async function timedRunRow(what: string, latencyMs: number, goal: string): Promise<Row> {
  const { seconds, requests } = await runCost({ timeMs: TIME_SECONDS * 1000 }, latencyMs);
  const measured = `${(seconds - TIME_SECONDS).toFixed(1)} s until all cases have ended, ${requests} requests`;
  return { what: `run with --time ${TIME_SECONDS}s, ${what}`, measured, goal };
}

async function runSizeRows(what: string, ...flags: readonly string[]): Promise<Row[]> {
  const { memory, artefacts } = await runSize(...flags);
  const peak = memory === undefined ? 'this system has no /proc' : `${((memory * 2 ** 20) / 1e6).toFixed(0)} MB`;
  return [
    { what: `peak memory of ${what}`, measured: peak, goal: '< 400 MB' },
    { what: `report of ${what}`, measured: `${(artefacts / 1e6).toFixed(1)} MB`, goal: '< 10 MB' },
  ];
}
