/** Makes values that were not generated, such as hand-written examples, shrink as generated ones do. */
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';

/** Returns values that are slightly smaller than the given one, and valid if that one is. */
export type Smaller<T> = (value: T) => readonly T[];

/**
 * Generates and shrinks as `arbitrary` does. Any other value shrinks to the simplest one that `arbitrary` generates, then to
 * those of `smaller`, then as `arbitrary` shrinks it if it can.
 */
export function shrinkable<T>(arbitrary: fc.Arbitrary<T>, smaller: Smaller<T> = () => []): fc.Arbitrary<T> {
  return new Shrinkable(arbitrary, smaller);
}

/** Of an object with any entries. The result has at least `min` entries. */
export const withoutAnEntry =
  (min = 0) =>
  <T extends Readonly<Record<string, unknown>>>(value: T): T[] => {
    const entries = Object.entries(value);
    return withoutAnElement(min)(entries).map((fewer) => Object.fromEntries(fewer) as T);
  };

/** The second half first, because examples tend to repeat themselves. The result has at least `min` elements. */
export const withoutAnElement =
  (min = 0) =>
  <E>(list: readonly E[]): E[][] => {
    if (list.length <= min) return [];
    const half = list.slice(0, Math.max(min, Math.ceil(list.length / 2)));
    const withoutOne = list.map((_, index) => list.toSpliced(index, 1));
    return list.length > 2 ? [half, ...withoutOne] : withoutOne;
  };

/** Beginnings of a text, the shortest first: one half to 31/32, or all but one character. At least one character remains. */
export function beginnings(text: string): string[] {
  const characters = Array.from(text);
  const shares = [1 / 2, 3 / 4, 7 / 8, 31 / 32].map((share) => Math.floor(characters.length * share));
  const lengths = [...shares, characters.length - 1];
  return [...new Set(lengths)].filter((length) => length > 0).map((length) => characters.slice(0, length).join(''));
}

/** The context of a generated value; other values have none. */
interface Generated {
  readonly inner: unknown;
}

class Shrinkable<T> extends fc.Arbitrary<T> {
  readonly #arbitrary: fc.Arbitrary<T>;
  readonly #smaller: Smaller<T>;

  constructor(arbitrary: fc.Arbitrary<T>, smaller: Smaller<T>) {
    super();
    this.#arbitrary = arbitrary;
    this.#smaller = smaller;
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return generated(this.#arbitrary.generate(random, biasFactor));
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return value !== undefined;
  }

  override shrink(value: T, context?: unknown): fc.Stream<fc.Value<T>> {
    if (context !== undefined) return this.#arbitrary.shrink(value, (context as Generated).inner).map(generated);
    const simplest = () => [simplestOf(this.#arbitrary)].filter((each) => !isDeepStrictEqual(each, value));
    const smaller = () => this.#smaller(value);
    const own = this.#arbitrary.canShrinkWithoutContext(value)
      ? this.#arbitrary.shrink(value, undefined).map(({ value: shrunk }) => shrunk)
      : fc.Stream.nil<T>();
    return lazily(simplest)
      .join(lazily(smaller), own)
      .map((each) => new fc.Value(each, undefined));
  }
}

const generated = <T>(value: fc.Value<T>): fc.Value<T> =>
  new fc.Value(value.value, { inner: value.context } satisfies Generated);

/** The same in every call: what remains if every value fails. */
function simplestOf<T>(arbitrary: fc.Arbitrary<T>): T {
  const property = fc.property(arbitrary, () => false);
  const [simplest] = fc.check(property, { seed: 1, numRuns: 1 }).counterexample ?? [];
  return simplest as T;
}

function lazily<T>(values: () => readonly T[]): fc.Stream<T> {
  function* each(): IterableIterator<T> {
    yield* values();
  }
  return fc.stream(each());
}
