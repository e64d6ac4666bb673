/** What a run creates and changes, on disk before the request leaves, so that it can be undone whatever happens. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { NotTried } from './violation.ts';
import { LEDGER_FORM } from './ledger-lines.ts';
import type { Change, Creation, LedgerAbout, LedgerLine } from './ledger-lines.ts';

export type { Change, Creation, LedgerAbout } from './ledger-lines.ts';

/** Of a creation or a removal whose request is on its way. */
export interface Pending {
  /**
   * Say it once the answer is there; unsaid, the request may or may not have had its effect. `made` is what an answer with
   * success says that was created.
   */
  answered(status: number, made?: Creation): void;
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
export const isSurelyRemovable = ({ removal }: Creation): boolean =>
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
  about: LedgerAbout,
  { budget }: LedgerOptions = { budget: DEFAULT_BUDGET },
): Ledger & Closing {
  const descriptor = openSync(file, 'ax', 0o600);
  const removable = new Set<OperationId>();
  /** Creations that may stay, by number: not yet removed, and not refused (4xx). */
  const staying = new Map<number, Creation>();
  const changed = new Set<string>();
  let number = 0;

  function write(line: LedgerLine): void {
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(descriptor);
  }
  write({ ledger: LEDGER_FORM, ...about });

  const costs = (creation: Creation): boolean =>
    creation.name === undefined || (!isSurelyRemovable(creation) && !removable.has(creation.created));
  /** What is created twice under one name is there once. */
  const keyIn = (own: number, { created, name }: Creation): string => JSON.stringify([created, name ?? own]);
  const spent = (): Set<string> =>
    new Set([...staying].filter(([, creation]) => costs(creation)).map(([own, creation]) => keyIn(own, creation)));

  function willCreate(creation: Creation): Pending {
    const own = number + 1;
    if (costs(creation) && spent().add(keyIn(own, creation)).size > budget)
      throw new NotTried(`a larger --budget: ${budget} things are there that this target may not be able to remove`);
    return begun(creation);
  }

  function mightCreate(creation: Creation): Pending | undefined {
    const isThere = [...staying].some(([own, other]) => keyIn(own, other) === keyIn(own, creation));
    // Refused, as it should be, it leaves nothing to look for.
    return isThere ? undefined : begun(creation, (own) => write({ number: own, undone: true }));
  }

  function begun(creation: Creation, refused: (own: number) => void = () => {}): Pending {
    const own = (number += 1);
    write({ number: own, ...creation });
    staying.set(own, creation);
    return {
      answered(status, made = creation) {
        const { created: _, ...other } = made;
        write({ number: own, status, ...(made.name !== creation.name && other) });
        staying.set(own, made);
        if (!isRefusal(status, made)) return;
        staying.delete(own);
        refused(own);
      },
    };
  }

  function willRemove(id: OperationId, path: Record<string, string>): Pending | undefined {
    const key = keyOf(id, path);
    const meant = [...staying].filter(([, { removal }]) => removal && keyOf(removal.operation, removal.path) === key);
    if (meant.length === 0) return undefined;
    for (const [own] of meant) write({ number: own, removing: true });
    return {
      answered(status) {
        for (const [own, creation] of meant) removed(own, creation, status);
      },
    };
  }

  function removed(own: number, creation: Creation, status: number): void {
    if (!isSuccess(status)) return write({ number: own, kept: status });
    write({ number: own, undone: true });
    staying.delete(own);
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
    mayCreate: (id) => (removable.has(id) ? Infinity : budget - spent().size),
    close: () => closeSync(descriptor),
  };
}

interface Closing {
  close(): void;
}
