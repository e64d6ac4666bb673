/** Readers for the values of flags; each refuses with a sentence that says what is allowed. */
import { InvalidArgumentError } from 'commander';

/** A whole number between the two, both inclusive. */
export const wholeNumber =
  (least: number, most: number) =>
  (value: string): number => {
    if (/^\d{1,15}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new InvalidArgumentError(`"${value}" is not allowed here. Wanted: a whole number from ${least} to ${most}.`);
  };

/** A number, 0 or more. */
export function notNegative(value: string): number {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  throw new InvalidArgumentError(`"${value}" is not allowed here. Wanted: a number, 0 or more.`);
}

export function notEmpty(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('"" is not allowed here. Wanted: a text that is not empty.');
}

export const oneOf =
  <const T extends string>(allowed: readonly T[]) =>
  (value: string): T => {
    const found = allowed.find((each) => each === value);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`"${value}" is not allowed here. Wanted: one of ${allowed.join(', ')}.`);
  };

/** For a flag that may be repeated. */
export const oneMore = (value: string, previous: readonly string[] | undefined): string[] => [
  ...(previous ?? []),
  value,
];
