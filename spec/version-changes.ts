/** What a later version changes in the bodies of an operation: members with another name, and limits that are stricter. */
import type { OperationId } from './generated/types.ts';
import { earliestName, propertiesOf } from './in-version.ts';
import { isObject } from './json-object.ts';
import type { Schema } from './openapi-document.ts';
import type { PlacedSchema } from './operation-versions.ts';
import { replySchema, requestSchema } from './operation-versions.ts';

/** A member of a body. `path`: the names of the members that lead to it. */
export interface Member {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The members of a request body in `version` that have another name in the earliest version. Elements of lists are omitted: their order may differ. */
export const renamedInRequest = (version: string, id: OperationId, body: unknown): Member[] =>
  renamed(membersOf(requestSchema(id, version), body));

/** The same, of the body of a response. */
export const renamedInReply = (version: string, id: OperationId, status: number, body: unknown): Member[] =>
  renamed(membersOf(replySchema(id, status, version), body));

const renamed = (members: readonly PlacedMember[]): Member[] =>
  members.filter(({ name, schema }) => earliestName(name, schema) !== name).map(({ path, value }) => ({ path, value }));

/**
 * Values that the body in the earliest version may have, and that `version` refuses: each is one member of the given body, just
 * beyond a limit that is stricter there. `path`: in the earliest version.
 */
export function newlyRefused(version: string, id: OperationId, body: unknown): Member[] {
  const later = membersByEarliestPath(requestSchema(id, version));
  return membersOf(requestSchema(id), body).flatMap(({ path, value, schema }) =>
    beyond(value, schema, later.get(path.join('.')) ?? schema).map((each) => ({ path, value: each })),
  );
}

function beyond(value: unknown, earlier: Schema, later: Schema): unknown[] {
  const { maxLength, minLength, maximum, minimum } = later;
  if (typeof value === 'string')
    return [
      ...(maxLength !== undefined && maxLength < (earlier.maxLength ?? Infinity)
        ? [value.padEnd(maxLength + 1, 'a')]
        : []),
      ...(minLength !== undefined && minLength > (earlier.minLength ?? 0) ? [value.slice(0, minLength - 1)] : []),
    ];
  return [
    ...(maximum !== undefined && maximum < (earlier.maximum ?? Infinity) ? [maximum + 1] : []),
    ...(minimum !== undefined && minimum > (earlier.minimum ?? -Infinity) ? [minimum - 1] : []),
  ];
}

interface PlacedMember extends Member {
  readonly name: string;
  readonly schema: Schema;
}

/** The documented members of a value, at any depth. */
function membersOf(placed: PlacedSchema | undefined, value: unknown, above: readonly string[] = []): PlacedMember[] {
  if (placed === undefined || !isObject(value)) return [];
  return [...propertiesOf(placed)].flatMap(([name, schema]): PlacedMember[] => {
    const member = value[name];
    if (member === undefined) return [];
    const path = [...above, name];
    const own = { path, value: member, name, schema };
    return [own, ...membersOf({ ...placed, schema }, member, path)];
  });
}

function membersByEarliestPath(placed: PlacedSchema | undefined, above = ''): ReadonlyMap<string, Schema> {
  if (placed === undefined || above.split('.').length > MAX_DEPTH) return new Map();
  return new Map(
    [...propertiesOf(placed)].flatMap(([name, schema]) => {
      const path = `${above}${earliestName(name, schema)}`;
      return [[path, schema] as const, ...membersByEarliestPath({ ...placed, schema }, `${path}.`)];
    }),
  );
}

/** Schemas may be recursive. */
const MAX_DEPTH = 8;
