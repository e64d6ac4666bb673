/** Long work in slices, between which other requests are served. */
import { setImmediate } from 'node:timers/promises';

/** How long a slice delays other requests. */
const SLICE_MS = 8;

/** The results in order. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let until = performance.now() + SLICE_MS;
  for (const item of items) {
    results.push(map(item));
    if (performance.now() <= until) continue;
    await setImmediate();
    until = performance.now() + SLICE_MS;
  }
  return results;
}

/** The JSON of a value in pieces: of objects and arrays down to `depth` levels, each member is a piece of its own. */
export async function* jsonInSlices(value: unknown, depth: number): AsyncGenerator<string> {
  let until = performance.now() + SLICE_MS;
  let pending = '';
  for (const piece of piecesOf(value, depth)) {
    pending += piece;
    if (performance.now() <= until && pending.length < PIECE_LENGTH) continue;
    yield pending;
    pending = '';
    await setImmediate();
    until = performance.now() + SLICE_MS;
  }
  yield pending;
}

const PIECE_LENGTH = 1_000_000;

function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? '[' : '{';
  for (const [name, member] of isList ? value.entries() : Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* piecesOf(member, depth - 1);
    separator = ',';
  }
  if (separator !== ',') yield separator;
  yield isList ? ']' : '}';
}
