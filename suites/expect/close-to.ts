/** Sums of money and use, told equal within what floating point costs. */
import type { Exchange } from '../target/exchange.ts';
import type { Mismatch } from '../violation.ts';

/** Of the larger of the two. */
export const RELATIVE_TOLERANCE = 1e-6;
/** Below this, sums of printed figures differ by rounding alone. */
const NOTHING = 1e-6;

export const isCloseTo = (actual: number, expected: number): boolean =>
  Math.abs(actual - expected) <= Math.max(NOTHING, RELATIVE_TOLERANCE * Math.max(Math.abs(actual), Math.abs(expected)));

/** `what` names the figure: "summary.totalCost". */
export function closeTo(what: string, actual: number, expected: number, exchange?: Exchange): Mismatch[] {
  if (isCloseTo(actual, expected)) return [];
  return [
    { expected: `${what} ${expected}`, actual: `${what} ${actual}`, ...(exchange === undefined ? {} : { exchange }) },
  ];
}
