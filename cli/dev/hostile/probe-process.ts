/** The second client, in a process of its own: sends a simple GET at a fixed rate and measures how long each takes. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Pool } from 'undici';
import { reportFigures } from './child.ts';
import type { ProbeTarget } from './reset-mock.ts';

export interface ProbeFigures {
  readonly count: number;
  /** Responses other than 200, and requests without one. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The longest delay of this process itself: not caused by the mock. */
  readonly ownDelayMs: number;
}

/** Of each request, so that one that waits does not hide those that would have waited with it. */
const EVERY_MS = 20;
const MAX_CONNECTIONS = 100;

const [input = ''] = process.argv.slice(2);
const { url, token } = JSON.parse(input) as ProbeTarget;
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections: MAX_CONNECTIONS, headersTimeout: 60_000 });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let durations: number[] = [];
let failed = 0;

async function probe(): Promise<void> {
  const start = performance.now();
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { statusCode, body } = await pool.request({ path: pathname, method: 'GET', headers });
    await body.dump();
    if (statusCode !== 200) failed += 1;
  } catch {
    failed += 1;
  }
  durations.push(performance.now() - start);
}

/** Of sorted values; 0 without any. */
const quantile = (sorted: readonly number[], part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;

await probe();
if (failed > 0) throw new Error(`The probe of ${url} failed.`);
setInterval(() => void probe(), EVERY_MS);

reportFigures({}, (): ProbeFigures => {
  const sorted = durations.toSorted((a, b) => a - b);
  const figures = {
    count: sorted.length,
    failed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: sorted.at(-1) ?? 0,
    ownDelayMs: delay.max / 1e6,
  };
  durations = [];
  failed = 0;
  delay.reset();
  return figures;
});
