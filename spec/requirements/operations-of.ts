/** Resolves the operations that a rule is about. */
import { operations } from '../operations.ts';
import type { OperationId } from '../generated/types.ts';
import type { Requirement } from './requirement.ts';

/** Returns each operation once, in document order; a surface expands to all its documented operations. */
export function operationsOf(requirement: Pick<Requirement, 'operations'>): readonly OperationId[] {
  const named = new Set<string>(requirement.operations);
  return operations
    .filter(({ id, surface, documented }) => named.has(id) || (documented && named.has(surface)))
    .map(({ id }) => id);
}
