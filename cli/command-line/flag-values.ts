/** Parsers for the values of flags. Each throws InvalidArgumentError with what it expects, such as "an integer from 0 to 65535". */
import { InvalidArgumentError } from 'commander';
import { DURATION_FORM, parseDuration } from '../../spec/formats/durations.ts';

/** Both bounds are inclusive. */
export const integerBetween =
  (min: number, max: number) =>
  (value: string): number => {
    if (/^\d{1,15}$/.test(value) && Number(value) >= min && Number(value) <= max) return Number(value);
    throw new InvalidArgumentError(`an integer from ${min} to ${max}`);
  };

export function nonNegativeNumber(value: string): number {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError('a number, 0 or more');
}

export function nonEmptyString(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('a non-empty string');
}

export const oneOf =
  <const T extends string>(allowed: readonly T[]) =>
  (value: string): T => {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`one of ${allowed.join(', ')}`);
  };

const bytesPerUnit = { '': 1, KIB: 2 ** 10, MIB: 2 ** 20, GIB: 2 ** 30 } as const;

/** In bytes, at least 1024: `16MiB`, `500KiB` or a number of bytes. */
export function size(value: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})(KiB|MiB|GiB)?$/i.exec(value) ?? [];
  const bytes = Number(amount) * bytesPerUnit[unit.toUpperCase() as keyof typeof bytesPerUnit];
  if (bytes >= 1024) return bytes;
  throw new InvalidArgumentError('a size such as 16MiB or 500KiB, at least 1KiB');
}

/** For a flag that may be repeated. */
export const appendValue = (value: string, previous: readonly string[] | undefined): string[] => [
  ...(previous ?? []),
  value,
];

/** In milliseconds, more than 0. */
export function duration(value: string): number {
  const milliseconds = parseDuration(value) ?? 0;
  if (milliseconds > 0) return milliseconds;
  throw new InvalidArgumentError(DURATION_FORM);
}

/** Of `--areas`, a flag of `test` and `merge`. */
export const AREAS_DESCRIPTION = 'prints the verdicts of each area as a table';
