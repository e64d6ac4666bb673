/**
 * Translates bodies between the earliest version and a later one, by their schemas: renamed members get their other name, and members
 * that the other version does not have are omitted. In the document of a later version, `x-earliest-name` is the name of a member
 * in the earliest one.
 */
import type { PlacedSchema } from './operation-versions.ts';
import { replySchema, requestSchema } from './operation-versions.ts';
import type { OperationId } from './generated/types.ts';
import { isObject } from './json-object.ts';
import type { Schema } from './openapi-document.ts';
import { resolve } from './openapi-document.ts';

/** Returns a request body of the earliest version as one of `version`, which is listed and has the operation. */
export const requestIn = (version: string, id: OperationId, body: unknown): unknown =>
  translated(body, requestSchema(id), requestSchema(id, version));

/** Returns a request body of `version` as one of the earliest version. */
export const requestFrom = (version: string, id: OperationId, body: unknown): unknown =>
  translated(body, requestSchema(id, version), requestSchema(id));

/** Returns the body of a response of the earliest version as one of `version`. */
export const replyIn = (version: string, id: OperationId, status: number, body: unknown): unknown =>
  translated(body, replySchema(id, status), replySchema(id, status, version));

function translated(value: unknown, from: PlacedSchema | undefined, to: PlacedSchema | undefined): unknown {
  if (from === undefined || to === undefined || from.document === to.document) return value;
  if (Array.isArray(value)) {
    const [item, other] = [part(from, ({ items }) => items), part(to, ({ items }) => items)];
    return value.map((each) => translated(each, item, other));
  }
  if (!isObject(value)) return value;
  const [own, others] = [propertiesOf(from), propertiesOf(to)];
  const members = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    const schema = own.get(name);
    // Not documented in this version. If the other one has such a member, it means something else.
    if (schema === undefined) return others.has(name) ? [] : [[name, translated(member, mapped(from), mapped(to))]];
    const counterpart = [...others].find(([other, each]) => earliestName(other, each) === earliestName(name, schema));
    if (counterpart === undefined) return [];
    const [otherName, otherSchema] = counterpart;
    return [[otherName, translated(member, { ...from, schema }, { ...to, schema: otherSchema })]];
  });
  return Object.fromEntries(members);
}

/** The name of a member in the earliest version. */
export const earliestName = (name: string, schema: Schema): string =>
  (schema['x-earliest-name'] as string | undefined) ?? name;

/** The schema itself, without a reference, and its alternatives. */
function formsOf({ document, schema }: PlacedSchema): Schema[] {
  const resolved = resolve<Schema>(document, schema);
  return [resolved, ...(resolved.anyOf ?? []).flatMap((each) => formsOf({ document, schema: each }))];
}

/** The members of an object by name, of all alternatives. */
export const propertiesOf = (placed: PlacedSchema): ReadonlyMap<string, Schema> =>
  new Map(formsOf(placed).flatMap(({ properties = {} }) => Object.entries(properties)));

function part(placed: PlacedSchema, partOf: (schema: Schema) => Schema | undefined): PlacedSchema | undefined {
  const schema = formsOf(placed)
    .map(partOf)
    .find((each) => each !== undefined);
  return schema && { ...placed, schema };
}

/** The schema of the values of a map. */
const mapped = (placed: PlacedSchema): PlacedSchema | undefined =>
  part(placed, ({ additionalProperties }) => (isObject(additionalProperties) ? additionalProperties : undefined));
