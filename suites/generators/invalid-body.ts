/** Valid bodies with one invalid property, derived from the examples of the documents. */
import type { Content, OpenApiExample } from '../../spec/openapi-document.ts';
import { documentOf } from '../../spec/documents.ts';
import { resolve } from '../../spec/openapi-document.ts';
import { firstVersionOf, operationIn } from '../../spec/operation-versions.ts';
import type { Operation } from '../../spec/operations.ts';

/** None is a name, a timestamp or anything else that an operation could accept. */
export const invalidValues: readonly unknown[] = [
  null,
  true,
  -1,
  1.5,
  1e308,
  '',
  '\u0000',
  'Not Valid/..',
  'a'.repeat(5000),
  [],
  [null],
  {},
  JSON.parse('{"__proto__":{"a":1}}'),
];

/** The JSON examples of an operation's body. */
export function exampleBodies({ id, surface }: Operation): unknown[] {
  const version = firstVersionOf(id);
  const document = documentOf(surface, version);
  const body = operationIn(version, id)?.operation.requestBody;
  if (body === undefined) return [];
  const examples = resolve<Content>(document, body).content?.['application/json']?.examples ?? {};
  return Object.values(examples).map((example) => structuredClone(resolve<OpenApiExample>(document, example).value));
}

/** All paths within a JSON value. The first is the value itself. */
export type Place = readonly (string | number)[];

export function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...members.flatMap(([name, member]) => placesIn(member).map((place) => [name, ...place]))];
}

export const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce((at, name) => (at as Record<string | number, unknown>)[name], value);

/** An object instead of an array, a number instead of a string, an array instead of anything else. */
export const ofAnotherType = (value: unknown): unknown => (Array.isArray(value) ? {} : isText(value) ? 1 : []);

const isText = (value: unknown): boolean => typeof value === 'string';

/** A copy with another value in one place. */
export function replaceAt(value: unknown, place: Place, replacement: unknown): unknown {
  const [name, ...deeper] = place;
  if (name === undefined) return replacement;
  if (Array.isArray(value))
    return value.map((member: unknown, index) => (index === name ? replaceAt(member, deeper, replacement) : member));
  return Object.fromEntries(
    Object.entries(value as object).map(([key, member]) => [
      key,
      key === name ? replaceAt(member, deeper, replacement) : member,
    ]),
  );
}
