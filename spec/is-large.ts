/** Tells values in which validators could find too many errors. */

/** Arrays, objects and the values in them. */
const MAX_VALUES = 5000;

/** Whether a JSON value has more than 5,000 values in it. */
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
