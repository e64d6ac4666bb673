/** Limits the expected values of a call, with which each request, or each entry of the journal, is compared. */
import { requireAtMost } from '../../http/limits.ts';
import type { RequestMatch } from '../../pipeline/rule-formats.ts';

/** Throws invalidField if the matches have too many values together. */
export const requireFewExpectedValues = (matches: readonly RequestMatch[]): void =>
  requireAtMost(
    'expectedValues',
    matches.reduce((count, { query, headers, body }) => count + [query, headers, body].reduce(addValues, 0), 0),
    'the expected values',
  );

const addValues = (count: number, json: unknown): number => (json === undefined ? count : count + countValues(json));

/** Objects and arrays count as well as what they contain. */
function countValues(json: unknown): number {
  const inner: unknown[] = typeof json === 'object' && json !== null ? Object.values(json) : [];
  return inner.reduce<number>((count, each) => count + countValues(each), 1);
}
