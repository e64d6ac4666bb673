/** Counts the values of JSON data. */

/** Objects and arrays count as well as what they contain. Counts no further than `limit`, which is then exceeded. */
export function countValues(json: unknown, limit = Infinity): number {
  const uncounted = [json];
  let count = 0;
  for (let value = uncounted.pop(); count <= limit; value = uncounted.pop()) {
    count += 1;
    if (typeof value === 'object' && value !== null) {
      for (const each of Object.values(value)) if (uncounted.push(each) > limit) return limit + 1;
    }
    if (uncounted.length === 0) break;
  }
  return count;
}
