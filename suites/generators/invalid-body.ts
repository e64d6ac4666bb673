/** Bodies that are right but for one member, which holds what it is not made for; made from the documents' own examples. */
import type { Content, OpenApiExample } from '../../spec/documents.ts';
import { documentOf, eachOperation, resolve } from '../../spec/documents.ts';
import type { Operation } from '../../spec/operations.ts';

/** None is a name, a timestamp or anything else that an operation could take for what it asks. */
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
  const document = documentOf(surface);
  const body = eachOperation(document).find(({ operation }) => operation.operationId === id)?.operation.requestBody;
  if (body === undefined) return [];
  const examples = resolve<Content>(document, body).content?.['application/json']?.examples ?? {};
  return Object.values(examples).map((example) => structuredClone(resolve<OpenApiExample>(document, example).value));
}

/** Where something stands in a JSON value, the value itself first. */
export type Place = readonly (string | number)[];

export function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const members: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [[], ...members.flatMap(([name, member]) => placesIn(member).map((place) => [name, ...place]))];
}

export const valueAt = (value: unknown, place: Place): unknown =>
  place.reduce((at, name) => (at as Record<string | number, unknown>)[name], value);

/** An object in the place of a list, a number in that of a text, a list in that of anything else. */
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
