/**
 * Stores the beginnings of the bodies of a request outside of the JavaScript heap: garbage collections of so many strings would
 * take a twentieth of the time of an update.
 */

/** Characters of each body. */
export const MAX_BODY_CHARACTERS = 4000;

export interface JournalBodies {
  readonly request: StoredBody;
  readonly response: StoredBody;
}

interface StoredBody {
  memory: Buffer;
  /** Bytes of the memory; undefined if there is no body. */
  length: number | undefined;
}

const ALLOCATION_UNIT_BYTES = 256;
/** One more character than the maximum, which shows that the body was longer. */
const MAX_BYTES = (MAX_BODY_CHARACTERS + 1) * 3;
const NO_MEMORY = Buffer.alloc(0);

export function createBodies(): JournalBodies {
  return { request: { memory: NO_MEMORY, length: undefined }, response: { memory: NO_MEMORY, length: undefined } };
}

/** Clears the bodies; their memory is reused. */
export function clearBodies({ request, response }: JournalBodies): void {
  request.length = undefined;
  response.length = undefined;
}

/** Copies the beginning of a body. */
export function storeBody(stored: StoredBody, body: string | Uint8Array): void {
  if (typeof body === 'string') {
    const beginning = body.slice(0, MAX_BODY_CHARACTERS + 1);
    reserve(stored, Buffer.byteLength(beginning));
    stored.length = stored.memory.write(beginning);
  } else {
    const beginning = body.subarray(0, MAX_BYTES);
    reserve(stored, beginning.length);
    stored.memory.set(beginning);
    stored.length = beginning.length;
  }
}

/** Adds a piece of a body that is sent as a stream. Returns false if nothing more is stored. */
export function appendToBody(stored: StoredBody, piece: string | Uint8Array): boolean {
  const { memory, length = 0 } = stored;
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
  const added = bytes.subarray(0, MAX_BYTES - length);
  reserve(stored, length + added.length);
  if (stored.memory !== memory) stored.memory.set(memory.subarray(0, length));
  stored.memory.set(added, length);
  stored.length = length + added.length;
  return stored.length < MAX_BYTES;
}

function reserve(stored: StoredBody, bytes: number): void {
  if (stored.memory.length >= bytes) return;
  stored.memory = Buffer.allocUnsafeSlow(Math.ceil(bytes / ALLOCATION_UNIT_BYTES) * ALLOCATION_UNIT_BYTES);
}

/** Up to MAX_BODY_CHARACTERS + 1 characters; undefined if there is no body. */
export function textOf({ memory, length }: StoredBody): string | undefined {
  return length === undefined ? undefined : memory.toString('utf8', 0, length).slice(0, MAX_BODY_CHARACTERS + 1);
}
