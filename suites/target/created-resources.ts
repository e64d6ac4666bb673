/** The resources of a run that may still exist, and how many more the budget allows. */
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import type { Creation } from './ledger-lines.ts';
import { NotTried } from './violation.ts';

/** Whether the interface documents the operation that removes it. An inferred removal may not exist. */
export const hasDocumentedRemoval = ({ removal }: Creation): boolean =>
  removal !== undefined && operation(removal.operation).documented;

/** Independent of the order of path parameters. */
export const callKey = (id: OperationId, path: Record<string, string>): string =>
  JSON.stringify([id, ...Object.entries(path).toSorted(([a], [b]) => (a < b ? -1 : 1))]);

/** Identifies a resource: two creates with the same name are one resource, a create without a name is always a new one. */
const resourceKey = (number: number, { created, name }: Creation): string => JSON.stringify([created, name ?? number]);

export interface CreatedResources {
  /** Throws NotTried if the budget does not allow one more resource that may not be removable. */
  reserve(number: number, creation: Creation): void;
  set(number: number, creation: Creation): void;
  /** The create was refused: the resource does not exist. */
  delete(number: number): void;
  /** The resource was removed: its kind no longer counts against the budget. */
  remove(number: number, creation: Creation): void;
  has(number: number, creation: Creation): boolean;
  /** The resources that this call removes. */
  removedBy(id: OperationId, path: Record<string, string>): [number: number, creation: Creation][];
  /** How many more this operation may create. Infinity once the target has removed one of its resources. */
  available(id: OperationId): number;
}

export function trackCreatedResources(budget: number): CreatedResources {
  const removableKinds = new Set<OperationId>();
  const remaining = new Map<number, Creation>();

  const countsAgainstBudget = (creation: Creation): boolean =>
    creation.name === undefined || (!hasDocumentedRemoval(creation) && !removableKinds.has(creation.created));
  const keys = (creations: [number, Creation][]): Set<string> =>
    new Set(creations.map(([number, creation]) => resourceKey(number, creation)));
  const budgetKeys = (): Set<string> => keys([...remaining].filter(([, creation]) => countsAgainstBudget(creation)));

  return {
    reserve(number, creation) {
      if (countsAgainstBudget(creation) && budgetKeys().add(resourceKey(number, creation)).size > budget)
        throw new NotTried(
          `a larger --budget: the run has created ${budget} resources that it may not be able to remove`,
        );
    },
    set: (number, creation) => void remaining.set(number, creation),
    delete: (number) => void remaining.delete(number),
    remove(number, creation) {
      remaining.delete(number);
      removableKinds.add(creation.created);
    },
    has: (number, creation) => keys([...remaining]).has(resourceKey(number, creation)),
    removedBy(id, path) {
      const key = callKey(id, path);
      return [...remaining].filter(([, { removal }]) => removal && callKey(removal.operation, removal.path) === key);
    },
    available: (id) => (removableKinds.has(id) ? Infinity : budget - budgetKeys().size),
  };
}
