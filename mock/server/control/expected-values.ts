/** Limits the expected bodies of a call, with which each request, or each entry of the journal, is compared. */
import { requireAtMost } from '../../http/limits.ts';

/** Throws invalidField if the bodies have too many values together. */
export const requireFewExpectedValues = (bodies: readonly unknown[]): void =>
  requireAtMost('expectedValues', countValues(bodies), 'the expected bodies');

/** Objects and arrays count as well as what they contain. */
function countValues(json: unknown): number {
  const inner: unknown[] = typeof json === 'object' && json !== null ? Object.values(json) : [];
  return inner.reduce<number>((count, each) => count + countValues(each), 1);
}
