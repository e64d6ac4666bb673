/** Compares JSON values where only a part is expected. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from './json-object.ts';

/** Whether `actual` has every listed member of `expected`, at any depth. Lists must be equal. */
export function jsonIncludes(actual: unknown, expected: unknown): boolean {
  if (!isObject(expected)) return isDeepStrictEqual(actual, expected);
  return (
    isObject(actual) &&
    Object.entries(expected).every(([name, value]) => Object.hasOwn(actual, name) && jsonIncludes(actual[name], value))
  );
}
