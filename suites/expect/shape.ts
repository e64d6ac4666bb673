/** The shape of a JSON value: members and types without values. Elements of an array are merged. */

/** Equal for values of the same shape. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`;
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${shapeOf(member)}`);
  return `{${members.sort().join(',')}}`;
}
