/** Collects bytes in blocks: a byte that arrives alone would otherwise take more than a hundred bytes. */

/** Bytes. */
const BLOCK_SIZE = 2 ** 16;

export interface Blocks {
  /** Bytes that `append` would allocate for this chunk. */
  needed(chunk: Uint8Array): number;
  /** Copies the chunk. */
  append(chunk: Uint8Array): void;
  /** All bytes in order. */
  concat(): Buffer;
}

export function createBlocks(): Blocks {
  const full: Buffer[] = [];
  let last = Buffer.alloc(0);
  let used = 0;
  // The first block is as long as the first chunk, because most bodies are one short chunk.
  const sizeOfNext = (bytes: number): number => (full.length === 0 ? bytes : Math.max(bytes, BLOCK_SIZE));
  const needed = ({ length }: Uint8Array): number => (used + length <= last.length ? 0 : sizeOfNext(length));
  return {
    needed,
    append(chunk) {
      const size = needed(chunk);
      if (size > 0) {
        full.push(last.subarray(0, used));
        [last, used] = [Buffer.allocUnsafeSlow(size), 0];
      }
      last.set(chunk, used);
      used += chunk.length;
    },
    concat: () => Buffer.concat([...full, last.subarray(0, used)]),
  };
}
