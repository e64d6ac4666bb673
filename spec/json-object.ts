/** Distinguishes JSON objects from other JSON values. */

export type JsonObject = Record<string, unknown>;

/** False for null and arrays. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
