/** Collects bytes in blocks: a byte that arrives alone would otherwise take almost two hundred bytes. */

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

/** `first`: a chunk that is not copied; nobody may write to it afterwards. */
export function createBlocks(first: Buffer = Buffer.alloc(0)): Blocks {
  const full: Buffer[] = [];
  let last = first;
  let used = first.length;
  const needed = ({ length }: Uint8Array): number => {
    const more = used + length - last.length;
    if (more <= 0) return 0;
    // The first block is as long as the first chunk, because most bodies are one short chunk.
    return used === 0 ? more : Math.max(more, BLOCK_SIZE);
  };
  return {
    needed,
    append(chunk) {
      const size = needed(chunk);
      const fitting = Math.min(chunk.length, last.length - used);
      last.set(chunk.subarray(0, fitting), used);
      used += fitting;
      if (size === 0) return;
      if (last.length > 0) full.push(last);
      last = Buffer.allocUnsafeSlow(size);
      last.set(chunk.subarray(fitting));
      used = chunk.length - fitting;
    },
    // Most bodies are one block, which needs no copy.
    concat: () => (full.length === 0 && used === last.length ? last : Buffer.concat([...full, last.subarray(0, used)])),
  };
}
