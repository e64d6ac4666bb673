/** Removes nulls from responses before validation, because null counts as absent (decision 016). */

/** Returns a copy without object members that are null, at any depth. Array elements are kept. */
export function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, omitNulls(each)]));
}
