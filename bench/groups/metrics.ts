/** Metrics, and lists of worlds with many resources. */
import { largeWorldTimings } from '../large-worlds.ts';
import { pageTiming } from '../metrics.ts';
import { twoDecimals, type Row } from '../row.ts';

export function rows(): Row[] {
  return [metricsPageRow(), ...largeWorldRows()];
}

function metricsPageRow(): Row {
  const { milliseconds, stringifyMilliseconds } = pageTiming();
  const share = twoDecimals(milliseconds / stringifyMilliseconds);
  const measured = `${twoDecimals(milliseconds)} ms, ${share} of JSON.stringify (${twoDecimals(stringifyMilliseconds)} ms)`;
  return { what: 'page of 100 groups × 168 buckets', measured, goal: '≤ 0.8 ms' };
}

/** Compares the large world with one of a tenth of its size. */
function largeWorldRows(): Row[] {
  const [small, large] = [largeWorldTimings(10_000), largeWorldTimings(100_000)];
  return small.flatMap(({ what, first, milliseconds, afterChange }, at) => {
    const tenfold = large[at];
    if (tenfold === undefined) return [];
    const measured = `${milliseconds.toFixed(1)} ms, after a change ${afterChange.toFixed(1)} ms, the first ${first.toFixed(1)} ms`;
    const growth = [
      timesOf(tenfold.milliseconds, milliseconds),
      timesOf(tenfold.afterChange, afterChange),
      timesOf(tenfold.first, first),
    ];
    return [
      { what: `10,000 resources, ${what}`, measured, goal: '≤ 20 ms' },
      { what: `100,000 resources, ${what}`, measured: growth.join(', '), goal: '≤ 10×' },
    ];
  });
}

/** `one`: may be 0, if it is less than a step of the clock. */
function timesOf(tenfold: number, one: number): string {
  return one === 0 ? '–' : `${(tenfold / one).toFixed(1)}×`;
}
