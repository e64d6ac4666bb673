/** Copies a body while it is forwarded, up to a limit, to read it afterwards. */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { createBlocks, type Blocks } from '../../spec/network/blocks.ts';
import { decodeContent } from '../../spec/network/content-coding.ts';

/** A longer body is forwarded without a copy. */
const MAX_COPY_BYTES = 16 * 1024 * 1024;
/** Of all copies together. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

export interface BodyCopy {
  /** Why `text` is not what was sent: the body is too long, incomplete, not in its encoding, or not UTF-8. Undefined if it is. */
  describeProblem(contentEncoding: string | undefined): string | undefined;
  /** Decoded by Content-Encoding. Undefined for a body that is too long, truncated, or not in that encoding. */
  text(contentEncoding: string | undefined): string | undefined;
}

/** The body is incomplete, so its content cannot be judged. */
export const INCOMPLETE_BODY: BodyCopy = { text: () => undefined, describeProblem: () => 'it is incomplete' };

/** Memory that copies share. */
export interface CopyBudget {
  /** Whether the bytes were available. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
}

export function createCopyBudget(maxBytes = MAX_TOTAL_BYTES): CopyBudget {
  let taken = 0;
  return {
    take(bytes) {
      if (taken + bytes > maxBytes) return false;
      taken += bytes;
      return true;
    },
    giveBack: (bytes) => void (taken -= bytes),
  };
}

export interface HeldCopy extends BodyCopy {
  /** Gives the memory back, because nobody keeps the copy from now on. */
  release(): void;
}

/** Copies a stream without affecting its reader: bytes, timing and end are unchanged. */
export function copyOf(stream: Readable, budget: CopyBudget, maxBytes = MAX_COPY_BYTES): HeldCopy {
  let blocks: Blocks | undefined = createBlocks();
  let [length, taken] = [0, 0];
  /** Decoded once, because several checks read it; until `release`. */
  let latest: Content | undefined;
  const release = (): void => {
    budget.giveBack(taken);
    [taken, latest] = [0, undefined];
  };
  stream.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (blocks === undefined) return;
    const needed = blocks.needed(chunk);
    if (length > maxBytes || !budget.take(needed)) {
      blocks = undefined;
      return release();
    }
    taken += needed;
    blocks.append(chunk);
    latest = undefined;
  });
  const content = (encoding = 'identity'): Content | undefined => {
    if (blocks === undefined) return undefined;
    if (latest?.encoding !== encoding) latest = contentOf(blocks.concat(), encoding, maxBytes);
    return latest;
  };
  return {
    release,
    text: (contentEncoding) => content(contentEncoding)?.text,
    describeProblem(contentEncoding) {
      if (length > maxBytes) return tooLong(maxBytes);
      if (blocks === undefined) return 'the proxy holds too many other bodies';
      const { bytes: complete, problem } = content(contentEncoding) ?? {};
      return complete === undefined || isUtf8(complete) ? problem : 'it is not UTF-8';
    },
  };
}

const tooLong = (maxBytes: number): string => `it is longer than ${maxBytes} bytes`;

/** Without bytes and text if there is a problem. */
interface Content {
  readonly encoding: string;
  readonly bytes?: Buffer;
  readonly text?: string;
  /** Contains nothing of the body and its headers, so that it can be printed and counted. */
  readonly problem?: string;
}

function contentOf(body: Buffer, encoding: string, maxBytes: number): Content {
  try {
    const bytes = decodeContent(body, encoding, maxBytes);
    return { encoding, bytes, text: bytes.toString('utf8') };
  } catch (error) {
    // The receiver reports the error; here the body is just unreadable.
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    return { encoding, problem: isTooLong ? tooLong(maxBytes) : 'its Content-Encoding is wrong or unknown' };
  }
}
