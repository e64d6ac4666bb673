/** Decides whether a JSON value is so large that validators look only for its first error. */

/** Members of objects and elements of arrays, at all levels. */
const MAX_VALUES = 5000;

/** Whether a JSON value contains more than 5,000 values, at all levels. */
export function isLarge(value: unknown): boolean {
  const waiting: unknown[] = [value];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const values = Array.isArray(next) ? (next as unknown[]) : Object.values(next);
    count += values.length;
    if (count > MAX_VALUES) return true;
    for (const each of values) if (typeof each === 'object' && each !== null) waiting.push(each);
  }
  return false;
}
