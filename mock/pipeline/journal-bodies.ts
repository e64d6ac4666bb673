/**
 * Keeps the beginnings of the bodies of a request as UTF-8, outside of the JavaScript heap: garbage collections of so many
 * texts would take a tenth of the time of an update.
 */

/** Characters of each body. */
export const MAX_BODY_CHARACTERS = 4000;

export interface JournalBodies {
  readonly request: Kept;
  readonly response: Kept;
}

interface Kept {
  memory: Buffer;
  /** Bytes of the memory; undefined if there is no body. */
  length: number | undefined;
}

/** Memory is allocated in multiples of these bytes. */
const UNIT = 256;
const MAX_BYTES_PER_CHARACTER = 3;
const NO_MEMORY = Buffer.alloc(0);

export function createBodies(): JournalBodies {
  return { request: { memory: NO_MEMORY, length: undefined }, response: { memory: NO_MEMORY, length: undefined } };
}

/** Forgets the bodies, whose memory is used again. */
export function clearBodies({ request, response }: JournalBodies): void {
  request.length = undefined;
  response.length = undefined;
}

/** Copies the beginning of a body: one more character than the maximum, which shows that it was longer. */
export function keepBody(kept: Kept, body: string | Uint8Array): void {
  if (typeof body === 'string') {
    const beginning = body.slice(0, MAX_BODY_CHARACTERS + 1);
    reserve(kept, Buffer.byteLength(beginning));
    kept.length = kept.memory.write(beginning);
  } else {
    const beginning = body.subarray(0, (MAX_BODY_CHARACTERS + 1) * MAX_BYTES_PER_CHARACTER);
    reserve(kept, beginning.length);
    kept.memory.set(beginning);
    kept.length = beginning.length;
  }
}

function reserve(kept: Kept, bytes: number): void {
  if (kept.memory.length < bytes) kept.memory = Buffer.allocUnsafeSlow(Math.ceil(bytes / UNIT) * UNIT);
}

/** Up to MAX_BODY_CHARACTERS + 1 characters; undefined if there is no body. */
export function textOf({ memory, length }: Kept): string | undefined {
  return length === undefined ? undefined : memory.toString('utf8', 0, length).slice(0, MAX_BODY_CHARACTERS + 1);
}
