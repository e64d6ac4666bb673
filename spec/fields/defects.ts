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
  readonly change: (value: never, values: { readonly first: unknown; readonly other: unknown }) => unknown;
}

const define = (what: string, types: readonly FieldType[], change: Defect['change']): Defect => ({
  what,
  types,
  change,
});

const ALL = ['string', 'enum', 'integer', 'number', 'boolean', 'array', 'object'] as const;
const SCALARS = ['string', 'enum', 'integer', 'number', 'boolean'] as const;
const NUMBERS = ['integer', 'number'] as const;

export const defects = {
  missing: define('not at all', ALL, () => undefined),
  constant: define('as in the first response', SCALARS, (_, { first }) => first),
  foreign: define('of another response', SCALARS, (_, { other }) => other),
  empty: define('empty', ['string', 'array', 'object'], (value: unknown) =>
    Array.isArray(value) ? [] : typeof value === 'string' ? '' : {},
  ),
  truncated: define('without its end', ['string', 'array'], (value: string | unknown[]) => value.slice(0, -1)),
  trimmed: define('without spaces at its ends, and with single spaces', ['string'], (value: string) =>
    value.trim().replaceAll(/ +/g, ' '),
  ),
  'lower-case': define('in lower case', ['string'], (value: string) => value.toLowerCase()),
  'upper-case': define('in upper case', ['string', 'enum'], (value: string) => value.toUpperCase()),
  reversed: define('in reverse order', ['array'], (value: unknown[]) => value.toReversed()),
  repeated: define('with a repeated element', ['array'], (value: unknown[]) => [...value, ...value.slice(0, 1)]),
  zero: define('as 0', NUMBERS, () => 0),
  negative: define('with the opposite sign', NUMBERS, (value: number) => -value),
  larger: define('one too large', NUMBERS, (value: number) => value + 1),
  scaled: define('in another unit', NUMBERS, (value: number) => value * 1024),
  rounded: define('rounded', NUMBERS, (value: number) =>
    Number.isInteger(value) ? Math.round(value / 10) * 10 : Math.round(value),
  ),
  fractional: define('with a fraction', ['integer'], (value: number) => value + 0.5),
  inverted: define('inverted', ['boolean'], (value: boolean) => !value),
} as const satisfies Readonly<Record<string, Defect>>;

export type DefectKind = keyof typeof defects;

export const defectKinds = Object.keys(defects) as readonly DefectKind[];
