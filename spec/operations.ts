/** The table of all operations of the four documents. */

import type { OperationId } from './generated/types.ts';
import { tables } from './tables.ts';
import type { Operation } from './table-types.ts';

export type { OperationId, Scope } from './generated/types.ts';

export type { Operation, PathParameter } from './table-types.ts';

/** All operations, surface by surface in the order of their documents. */
export const operations: readonly Operation[] = tables.operations;

const byId = new Map<string, Operation>(operations.map((each) => [each.id, each]));

/** The GET of a path of the management API. Undefined if there is none, not even an inferred one. */
export const managementReadAt = (at: string): Operation | undefined =>
  operations.find(({ surface, method, path }) => surface === 'management' && method === 'GET' && path === at);

export function isOperationId(text: string): text is OperationId {
  return byId.has(text);
}

/** Returns the operation of an id. Throws for an unknown id. */
export function operation(id: OperationId): Operation {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`The documents have no operation "${id}".`);
  return found;
}
