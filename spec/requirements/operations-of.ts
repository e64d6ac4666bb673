/** The operations a rule speaks about, with a surface written out as all of its documented operations. */
import { operations } from '../operations.ts';
import type { OperationId } from '../generated/types.ts';
import type { Requirement } from './requirement.ts';

/** Each once, in the order of the documents. */
export function operationsOf(requirement: Pick<Requirement, 'operations'>): readonly OperationId[] {
  const named = new Set<string>(requirement.operations);
  return operations
    .filter(({ id, surface, documented }) => named.has(id) || (documented && named.has(surface)))
    .map(({ id }) => id);
}
