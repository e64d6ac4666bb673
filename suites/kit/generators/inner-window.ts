/** Windows inside each other. */
import * as fc from 'fast-check';
import { SECOND, endOf, startOf } from '../metrics/windows.ts';
import type { Window } from '../metrics/windows.ts';
import { windowWithin } from './window.ts';

export interface Nested {
  outer: Window;
  inner: Window;
  /** Queried for both windows. */
  resolution: string;
}

/** The outer one inside `past`, on multiples of `step` milliseconds; the inner one anywhere in it, at any second. */
export function nestedWindows(past: Window, step: number, longest: number, resolution: string): fc.Arbitrary<Nested> {
  return windowWithin(past, step, longest).chain((outer) =>
    windowWithin(outer, SECOND, endOf(outer) - startOf(outer)).map((inner) => ({ outer, inner, resolution })),
  );
}
