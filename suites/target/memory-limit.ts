/** Refuses responses when those that a run still needs would take too much memory. */
import { memoryUsage } from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of the process, from which on unused memory is freed. */
const CROWDED = 384 * 2 ** 20;
/** Bytes that this thread may keep: more than a run against a large conforming target does. */
const MAX_KEPT = 320 * 2 ** 20;
/** Freeing memory may take a tenth of the time, unless that much was received meanwhile. */
const PAUSE_FACTOR = 9;
const MAX_RECEIVED = 12 * 2 ** 20;

export interface MemoryLimit {
  /** Whether no further response may be kept. Frees unused memory if there is little left. `received`: characters since the last call. */
  isReached(received: number): boolean;
}

/** One per thread. */
export function createMemoryLimit(): MemoryLimit {
  let collect: (() => void) | undefined;
  let nextMs = -Infinity;
  let reached = false;
  let receivedSince = 0;
  return {
    isReached(received) {
      const started = performance.now();
      receivedSince += received;
      if (started < nextMs && receivedSince < MAX_RECEIVED) return reached;
      if (memoryUsage.rss() < CROWDED) return (reached = false);
      collect ??= collector();
      collect();
      receivedSince = 0;
      const ended = performance.now();
      nextMs = ended + PAUSE_FACTOR * (ended - started);
      return (reached = usedBytes() > MAX_KEPT);
    },
  };
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
