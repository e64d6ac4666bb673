/** The attacked mock, in a process of its own: reports its memory, and how long its event loop was blocked. */
import { setTimeout as wait } from 'node:timers/promises';
import { startMock } from '../../../mock/start-mock.ts';
import { reportFigures } from './child.ts';

export interface MockFigures {
  /** After garbage collection: the heap and the buffers outside of it. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** The highest since the process started. */
  readonly peakRssBytes: number;
  /**
   * The longest work during which no other request was served. In processor time of the main thread, to which other programs
   * on the machine do not add.
   */
  readonly blockedMs: number;
}

const CHECK_EVERY_MS = 5;

const controlToken = 'hostile';
const mock = await startMock({
  seed: 1,
  controlToken,
  // Slow clients are refused sooner, so that a run is shorter.
  world: { extends: 'default', limits: { requestSeconds: 2 } },
});

function busyMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let busyBefore = busyMs();
let longest = 0;
setInterval(() => {
  const busy = busyMs();
  longest = Math.max(longest, busy - busyBefore);
  busyBefore = busy;
}, CHECK_EVERY_MS);

reportFigures(
  { addresses: mock.addresses, target: mock.target, port: Number(new URL(mock.addresses.host).port), controlToken },
  async (): Promise<MockFigures> => {
    const blockedMs = longest;
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.();
      await wait(20);
    }
    busyBefore = busyMs();
    longest = 0;
    const { heapUsed, external, rss } = process.memoryUsage();
    return {
      heapBytes: heapUsed + external,
      rssBytes: rss,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      blockedMs,
    };
  },
);
