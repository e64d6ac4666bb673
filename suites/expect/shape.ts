/** The shape of a JSON value: members and types, without the values; elements of an array are taken together. */

/** Two values of one shape give the same text. */
export function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].sort().join('|')}]`;
  if (value === null) return 'null';
  if (typeof value !== 'object') return typeof value;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}:${shapeOf(member)}`);
  return `{${members.sort().join(',')}}`;
}
