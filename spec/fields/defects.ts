/** The ways in which servers get a field wrong that still fits its schema. */
import type { FieldType } from './response-fields.ts';

export interface Defect {
  /** Reads as "returns <field> …". */
  readonly what: string;
  readonly types: readonly FieldType[];
  /**
   * Returns the wrong value; undefined removes the field. `earlier`: the value of the first response of the operation,
   * `other`: the latest value that differs.
   */
  readonly change: (value: never, seen: { readonly first: unknown; readonly other: unknown }) => unknown;
}

const define = <Value>(
  what: string,
  types: readonly FieldType[],
  change: (value: Value, seen: { readonly first: unknown; readonly other: unknown }) => unknown,
): Defect => ({ what, types, change });

const ALL = ['string', 'enum', 'integer', 'number', 'boolean', 'array', 'object'] as const;
const SCALARS = ['string', 'enum', 'integer', 'number', 'boolean'] as const;
const NUMBERS = ['integer', 'number'] as const;

export const defects = {
  missing: define('not at all', ALL, () => undefined),
  constant: define('as in the first response', SCALARS, (_, { first }) => first),
  foreign: define('of another response', SCALARS, (_, { other }) => other),
  empty: define<unknown>('empty', ['string', 'array', 'object'], (value) =>
    Array.isArray(value) ? [] : typeof value === 'string' ? '' : {},
  ),
  truncated: define<string | unknown[]>('without its end', ['string', 'array'], (value) => value.slice(0, -1)),
  trimmed: define<string>('without spaces at its ends, and with single spaces', ['string'], (value) =>
    value.trim().replaceAll(/ +/g, ' '),
  ),
  'lower-case': define<string>('in lower case', ['string'], (value) => value.toLowerCase()),
  'upper-case': define<string>('in upper case', ['string', 'enum'], (value) => value.toUpperCase()),
  reversed: define<unknown[]>('in reverse order', ['array'], (value) => value.toReversed()),
  repeated: define<unknown[]>('with a repeated element', ['array'], (value) => [...value, ...value.slice(0, 1)]),
  zero: define('as 0', NUMBERS, () => 0),
  negative: define<number>('with the opposite sign', NUMBERS, (value) => -value),
  larger: define<number>('one too large', NUMBERS, (value) => value + 1),
  scaled: define<number>('in another unit', NUMBERS, (value) => value * 1024),
  rounded: define<number>('rounded', NUMBERS, (value) =>
    Number.isInteger(value) ? Math.round(value / 10) * 10 : Math.round(value),
  ),
  fractional: define<number>('with a fraction', ['integer'], (value) => value + 0.5),
  inverted: define<boolean>('inverted', ['boolean'], (value) => !value),
} as const satisfies Readonly<Record<string, Defect>>;

export type DefectKind = keyof typeof defects;

export const defectKinds = Object.keys(defects) as readonly DefectKind[];
