/** Tells JSON objects from all other JSON values. */
import type { JsonObject } from '../state/resources.ts';

/** False for null and lists. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
