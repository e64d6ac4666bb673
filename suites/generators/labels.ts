/** Valid labels (keys with string values), and invalid ones. */
import * as fc from 'fast-check';
import { limits } from '../../spec/values.ts';
import { readableText } from './display-name.ts';
import { word } from './resource-name.ts';
import { shrinkable, withoutAnEntry } from './shrinkable.ts';

export type Labels = Record<string, string>;

const key = fc
  .tuple(word(1, 8), fc.constantFrom('', '-', '_', '.', '/'), word(1, 8))
  .map(([first, between, last]) => first + between + last);

export const labels: fc.Arbitrary<Labels> = shrinkable(
  fc
    .array(fc.tuple(key, readableText(limits.displayNameLength)), { maxLength: 6 })
    .map((pairs) => Object.fromEntries(pairs)),
  withoutAnEntry(),
);

export const manyLabels: Labels = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`label-${at}`, `value ${at}`]),
);

/** Keys that are special in programming languages, and values that look like another type. */
export const trickyLabels: readonly Labels[] = [
  {},
  { team: 'support' },
  { constructor: 'a', toString: 'b', length: 'c' },
  { a: '1', b: 'true', c: 'null', d: '{}', e: '[]' },
  { Team: 'A', team: 'b' },
  { first: 'one', second: 'two', third: 'three', fourth: 'four', fifth: 'five' },
  manyLabels,
];

export const emptyLabel: Labels = { empty: '', full: 'text' };

/** A target may refuse these, but must return accepted ones. `__proto__` is a key that some JSON parsers reject or drop. */
export const unusualLabels: readonly Labels[] = [
  JSON.parse('{"__proto__":"a","full":"text"}') as Labels,
  { long: 'x'.repeat(200), full: 'text' },
  { größe: 'text', full: 'text' },
];

/** JSON values other than strings. Without null, which may count as omitted. */
export const nonString: fc.Arbitrary<unknown> = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constantFrom(0, 1.5, -1e21),
  fc.array(word(1, 5), { maxLength: 3 }),
  fc.dictionary(word(1, 5), word(1, 5), { maxKeys: 2 }),
);

export const nonStrings: readonly unknown[] = [0, 1, 1.5, true, false, [], ['a'], {}, { a: 'b' }];

/** JSON values other than objects. */
export const nonObjects: readonly unknown[] = [
  '',
  'a=b',
  '{}',
  0,
  1,
  true,
  false,
  [],
  ['a'],
  [{ a: 'b' }],
  [['a', 'b']],
];
