/** Formats values for mismatches: as JSON, and short. */

const MAX_LENGTH = 120;
/** Characters before the first difference, and of the whole part that is shown. */
const CONTEXT_LENGTH = 30;
const EXCERPT_LENGTH = 90;

/** `absent` if it is undefined. A long value is truncated. */
export function formatValue(value: unknown, maxLength = MAX_LENGTH): string {
  const text = textOf(value);
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}

/** Both values; of long ones, only the part around their first difference. */
export function formatBoth(one: unknown, other: unknown): readonly [string, string] {
  const [first, second] = [textOf(one), textOf(other)];
  if (first.length <= MAX_LENGTH && second.length <= MAX_LENGTH) return [first, second];
  const start = Math.max(0, sharedLength(first, second) - CONTEXT_LENGTH);
  return [excerpt(first, start), excerpt(second, start)];
}

const textOf = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

function sharedLength(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  for (let at = 0; at < max; at += 1) if (one[at] !== other[at]) return at;
  return max;
}

function excerpt(text: string, start: number): string {
  const end = start + EXCERPT_LENGTH;
  const size = text.length > end || start > 0 ? ` (${text.length} characters)` : '';
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}${size}`;
}
