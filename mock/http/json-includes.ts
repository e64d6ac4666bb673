/** Compares JSON values where only a part is expected. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../spec/json-object.ts';

/** Whether `actual` has every listed member of `expected`, at any depth. Lists must be equal. */
export const jsonIncludes = (actual: unknown, expected: unknown): boolean =>
  differingMember(actual, expected) === undefined;

/** The path to the first listed member of `expected` that `actual` lacks or has with another value; undefined if there is none. */
export function differingMember(actual: unknown, expected: unknown): string[] | undefined {
  if (!isObject(expected)) return isDeepStrictEqual(actual, expected) ? undefined : [];
  if (!isObject(actual)) return [];
  for (const [name, value] of Object.entries(expected)) {
    const inner = Object.hasOwn(actual, name) ? differingMember(actual[name], value) : [];
    if (inner !== undefined) return [name, ...inner];
  }
  return undefined;
}
