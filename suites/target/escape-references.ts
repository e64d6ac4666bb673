/** Protects texts that are not references to environment variables from being replaced when a target file is read. */

/** A copy in which no string refers to a variable, so that it can be read again as a target file. */
export function escapeReferences<T>(value: T): T {
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'string' ? each.replaceAll('${', '$$${') : each,
  );
  return JSON.parse(text) as T;
}
