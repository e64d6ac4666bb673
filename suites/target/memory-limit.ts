/** Refuses large responses when those that a run still needs take too much memory. */
import { memoryUsage } from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Characters. Few responses of a conforming target are as long. */
const MIN_LARGE_LENGTH = 2 ** 20;
/** Bytes of the process, from which on unused memory is freed before a large response is kept. */
const MIN_RSS_TO_COLLECT = 384 * 2 ** 20;
/** Bytes that this thread may keep: a run against a conforming target keeps less than half of that. */
const MAX_KEPT = 320 * 2 ** 20;

/** Whether a response of this many characters may be kept. Small ones always may. One function per thread. */
export function createMemoryLimit(): (characters: number) => boolean {
  let collect: (() => void) | undefined;
  return (characters) => {
    if (characters < MIN_LARGE_LENGTH || memoryUsage.rss() < MIN_RSS_TO_COLLECT) return true;
    collect ??= collector();
    collect();
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    return heap + external <= MAX_KEPT;
  };
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
