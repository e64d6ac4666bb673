/** Reads values of JSON by the path of a field. */
import { isObject } from '../json-object.ts';

/** Returns the values that are present and not null. In a path `[]` is every element of a list, `*` every value of a map. */
export function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (key === undefined) return [value];
  if (key === '[]') return Array.isArray(value) ? value.flatMap((each) => valuesAt(each, rest)) : [];
  if (!isObject(value)) return [];
  if (key === '*') return Object.values(value).flatMap((each) => valuesAt(each, rest));
  return Object.hasOwn(value, key) ? valuesAt(value[key], rest) : [];
}
