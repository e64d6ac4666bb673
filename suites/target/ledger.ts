/** What a run creates and changes, on disk before the request leaves, so that it can be undone whatever happens. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { NotTried } from './violation.ts';
import { LEDGER_VERSION } from './ledger-lines.ts';
import type { Change, Creation, LedgerHeader, LedgerLine } from './ledger-lines.ts';

export type { Change, Creation, LedgerHeader } from './ledger-lines.ts';

/** Of a creation or a removal whose request is on its way. */
export interface Pending {
  /**
   * Say it once the answer is there; unsaid, the request may or may not have had its effect. `made` is what an answer with
   * success says that was created.
   */
  complete(status: number, created?: Creation): void;
}

export interface Ledger {
  readonly file: string;
  /** On disk when it returns. Throws NotTried where it would be one thing too many that cannot be removed again. */
  willCreate(creation: Creation): Pending;
  /**
   * Of a request that should create nothing, as an update of what is not there. On disk when it returns; undefined where the
   * thing is there already. It costs nothing of the budget unless it is answered with success.
   */
  mightCreate(creation: Creation): Pending | undefined;
  /** On disk when it returns. */
  willChange(change: Change): void;
  /** Whether it says how to put back what that call changes. */
  isChanged(id: OperationId, path: Record<string, string>): boolean;
  /**
   * On disk when it returns; undefined where it is a removal of nothing that the run created. A kind that the target has
   * removed once costs nothing of the budget from then on.
   */
  willRemove(id: OperationId, path: Record<string, string>): Pending | undefined;
  /** How many more things this operation may create at this target; Infinity once one of its kind could be removed. */
  mayCreate(id: OperationId): number;
}

export interface LedgerOptions {
  /** How many things may be created for which the interface shows no removal and the target has had none either. */
  budget: number;
}

export const DEFAULT_BUDGET = 20;

/** Whether the interface documents how to remove what was created; an inferred removal may be missing. */
export const hasDocumentedRemoval = ({ removal }: Creation): boolean =>
  removal !== undefined && operation(removal.operation).documented;

const keyOf = (id: OperationId, path: Record<string, string>): string =>
  JSON.stringify([id, ...Object.entries(path).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/**
 * Whether the answer says that nothing was created. A gateway's 504, say, does not tell whether the request had its effect;
 * of what has no name, and was not accepted, nothing could be found anyway.
 */
export const isRefusal = (status: number, { name }: Pick<Creation, 'name'>): boolean =>
  name === undefined ? !isSuccess(status) : status >= 400 && status < 500;

/** Throws where the file is there already: it may be all that is known of what an earlier run left. */
export function openLedger(
  file: string,
  about: LedgerHeader,
  { budget }: LedgerOptions = { budget: DEFAULT_BUDGET },
): Ledger & Closing {
  const descriptor = openSync(file, 'ax', 0o600);
  const removable = new Set<OperationId>();
  /** Creations that may stay, by number: not yet removed, and not refused (4xx). */
  const remaining = new Map<number, Creation>();
  const changed = new Set<string>();
  let number = 0;

  function write(line: LedgerLine): void {
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(descriptor);
  }
  write({ ledger: LEDGER_VERSION, ...about });

  const countsAgainstBudget = (creation: Creation): boolean =>
    creation.name === undefined || (!hasDocumentedRemoval(creation) && !removable.has(creation.created));
  /** What is created twice under one name is there once. */
  const keyIn = (entryNumber: number, { created, name }: Creation): string =>
    JSON.stringify([created, name ?? entryNumber]);
  const budgetKeys = (): Set<string> =>
    new Set(
      [...remaining]
        .filter(([, creation]) => countsAgainstBudget(creation))
        .map(([entryNumber, creation]) => keyIn(entryNumber, creation)),
    );

  function willCreate(creation: Creation): Pending {
    const entryNumber = number + 1;
    if (countsAgainstBudget(creation) && budgetKeys().add(keyIn(entryNumber, creation)).size > budget)
      throw new NotTried(`a larger --budget: ${budget} things are there that this target may not be able to remove`);
    return recordCreation(creation);
  }

  function mightCreate(creation: Creation): Pending | undefined {
    const isThere = [...remaining].some(
      ([entryNumber, other]) => keyIn(entryNumber, other) === keyIn(entryNumber, creation),
    );
    // Refused, as it should be, it leaves nothing to look for.
    return isThere
      ? undefined
      : recordCreation(creation, (entryNumber) => write({ number: entryNumber, undone: true }));
  }

  function recordCreation(creation: Creation, refused: (entryNumber: number) => void = () => {}): Pending {
    const entryNumber = (number += 1);
    write({ number: entryNumber, ...creation });
    remaining.set(entryNumber, creation);
    return {
      complete(status, created = creation) {
        const { created: _, ...other } = created;
        write({ number: entryNumber, status, ...(created.name !== creation.name && other) });
        remaining.set(entryNumber, created);
        if (!isRefusal(status, created)) return;
        remaining.delete(entryNumber);
        refused(entryNumber);
      },
    };
  }

  function willRemove(id: OperationId, path: Record<string, string>): Pending | undefined {
    const key = keyOf(id, path);
    const matching = [...remaining].filter(
      ([, { removal }]) => removal && keyOf(removal.operation, removal.path) === key,
    );
    if (matching.length === 0) return undefined;
    for (const [entryNumber] of matching) write({ number: entryNumber, removing: true });
    return {
      complete(status) {
        for (const [entryNumber, creation] of matching) recordRemoval(entryNumber, creation, status);
      },
    };
  }

  function recordRemoval(entryNumber: number, creation: Creation, status: number): void {
    if (!isSuccess(status)) return write({ number: entryNumber, kept: status });
    write({ number: entryNumber, undone: true });
    remaining.delete(entryNumber);
    removable.add(creation.created);
  }

  return {
    file,
    willCreate,
    mightCreate,
    willChange(change) {
      write({ number: (number += 1), ...change });
      if (change.body !== undefined) changed.add(keyOf(change.changed, change.path));
    },
    isChanged: (id, path) => changed.has(keyOf(id, path)),
    willRemove,
    mayCreate: (id) => (removable.has(id) ? Infinity : budget - budgetKeys().size),
    close: () => closeSync(descriptor),
  };
}

interface Closing {
  close(): void;
}
