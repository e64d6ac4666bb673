/** The attacked mock, in a process of its own: reports its memory, and how long its event loop was blocked. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { startMock } from '../../../mock/start-mock.ts';
import { reportFigures } from './child.ts';

export interface MockFigures {
  /** After garbage collection: the heap and the buffers outside of it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** The highest since the process started. */
  readonly peakRssBytes: number;
  /** The longest time in which no other request was served. */
  readonly blockedMs: number;
}

/** How often the event loop is checked; its own share of the delay is subtracted. */
const RESOLUTION_MS = 5;

const controlToken = 'hostile';
const mock = await startMock({
  seed: 1,
  controlToken,
  // Slow clients are refused sooner, so that a run is shorter.
  world: { extends: 'default', limits: { requestSeconds: 2 } },
});
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

reportFigures(
  { addresses: mock.addresses, target: mock.target, port: Number(new URL(mock.addresses.host).port), controlToken },
  async (): Promise<MockFigures> => {
    const blockedMs = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.();
      await wait(20);
    }
    delay.reset();
    const { heapUsed, external, rss } = process.memoryUsage();
    return {
      heapBytes: heapUsed + external,
      rssBytes: rss,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      blockedMs,
    };
  },
);
