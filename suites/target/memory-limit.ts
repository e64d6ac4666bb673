/** Refuses large responses when those that a run still needs take too much memory. */
import { memoryUsage } from 'node:process';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Characters. Smaller responses are always kept. */
const MIN_LARGE_LENGTH = 2 ** 16;
/** Characters of large responses between two checks, which take as long as dozens of requests. */
const CHARACTERS_BETWEEN_CHECKS = 2 ** 22;
/** Bytes of the process, with what the next response takes, above which unused memory is freed before it is kept. */
const MIN_RSS_TO_COLLECT = 384 * 2 ** 20;
/** Bytes that the process may keep, with what the next response takes. */
const MAX_KEPT = 256 * 2 ** 20;
/** Bytes that parsing, checking and redacting a character may take. */
const BYTES_PER_CHARACTER = 13;

/** Whether a response of this many characters may be kept. One function per process. */
export function createMemoryLimit(): (characters: number) => boolean {
  let collect: (() => void) | undefined;
  let untilCheck = CHARACTERS_BETWEEN_CHECKS;
  let isFull = false;
  return (characters) => {
    if (characters < MIN_LARGE_LENGTH) return true;
    untilCheck -= characters;
    if (untilCheck > 0 && !isFull) return true;
    untilCheck = CHARACTERS_BETWEEN_CHECKS;
    isFull = false;
    const bytes = characters * BYTES_PER_CHARACTER;
    if (memoryUsage.rss() + bytes < MIN_RSS_TO_COLLECT) return true;
    collect ??= collector();
    collect();
    const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
    const kept = heap + external;
    isFull = kept > MAX_KEPT;
    return kept + bytes <= MAX_KEPT;
  };
}

function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
