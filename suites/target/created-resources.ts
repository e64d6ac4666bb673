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

/** Of a create that has no number yet. Creates are numbered from 1. */
const NO_NUMBER = 0;

export interface CreatedResources {
  /** Whether the budget allows this create if all creates without a response succeed. */
  isAllowed(creation: Creation): boolean;
  /** Resolves when a create without a response gets one. Throws NotTried if what exists already uses up the budget. */
  nextOutcome(creation: Creation): Promise<void>;
  /** The create is about to be sent. */
  start(number: number, creation: Creation): void;
  /** The resource exists, or may exist because the create got no response. */
  set(number: number, creation: Creation): void;
  /** The create was refused or never sent: the resource does not exist. */
  delete(number: number): void;
  /** The resource was removed: its kind no longer counts against the budget. */
  remove(number: number, creation: Creation): void;
  has(number: number, creation: Creation): boolean;
  /** The resources that this call removes. */
  removedBy(id: OperationId, path: Record<string, string>): [number: number, creation: Creation][];
  /**
   * How many more this operation may create if all creates without a response are refused. Infinity once the target has
   * removed one of its resources.
   */
  available(id: OperationId): number;
}

export function trackCreatedResources(budget: number): CreatedResources {
  const removableKinds = new Set<OperationId>();
  const remaining = new Map<number, Creation>();
  /** The numbers of the creates without an outcome. */
  const pending = new Set<number>();
  let outcome = Promise.withResolvers<void>();

  const countsAgainstBudget = (creation: Creation): boolean =>
    creation.name === undefined || (!hasDocumentedRemoval(creation) && !removableKinds.has(creation.created));
  const keys = (creations: [number, Creation][]): Set<string> =>
    new Set(creations.map(([number, creation]) => resourceKey(number, creation)));
  const budgetKeys = (creations: [number, Creation][]): Set<string> =>
    keys(creations.filter(([, creation]) => countsAgainstBudget(creation)));
  /** Without the creates that have no outcome. */
  const existing = (): [number, Creation][] => [...remaining].filter(([number]) => !pending.has(number));

  const hasRoom = (counted: Set<string>, creation: Creation): boolean =>
    counted.add(resourceKey(NO_NUMBER, creation)).size <= budget;

  function settle(number: number): void {
    if (!pending.delete(number)) return;
    outcome.resolve();
    outcome = Promise.withResolvers();
  }

  return {
    isAllowed: (creation) => !countsAgainstBudget(creation) || hasRoom(budgetKeys([...remaining]), creation),
    async nextOutcome(creation) {
      if (!hasRoom(budgetKeys(existing()), creation))
        throw new NotTried(
          `a larger --budget: the run has created ${budget} resources that it may not be able to remove`,
        );
      await outcome.promise;
    },
    start(number, creation) {
      pending.add(number);
      remaining.set(number, creation);
    },
    set(number, creation) {
      remaining.set(number, creation);
      settle(number);
    },
    delete(number) {
      remaining.delete(number);
      settle(number);
    },
    remove(number, creation) {
      remaining.delete(number);
      removableKinds.add(creation.created);
    },
    has: (number, creation) => keys([...remaining]).has(resourceKey(number, creation)),
    removedBy(id, path) {
      const key = callKey(id, path);
      return [...remaining].filter(([, { removal }]) => removal && callKey(removal.operation, removal.path) === key);
    },
    available: (id) => (removableKinds.has(id) ? Infinity : budget - budgetKeys(existing()).size),
  };
}
