/** Records on disk what a run creates and changes before the request is sent, so that it can be undone even after a crash. */
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import type { OperationId } from '../../spec/generated/types.ts';
import { isMissingStatus } from '../../spec/missing-operation.ts';
import { callKey, trackCreatedResources } from './created-resources.ts';
import { LEDGER_VERSION } from './ledger-lines.ts';
import type { Change, Creation, LedgerHeader, LedgerLine } from './ledger-lines.ts';

export type { Change, Creation, LedgerHeader } from './ledger-lines.ts';

export { hasDocumentedRemoval } from './created-resources.ts';

/** A creation or removal whose request has been sent, but whose response has not arrived. */
export interface Pending {
  /**
   * To be called when the response arrives. If it is never called, the request may or may not have had its effect.
   * `created` is the resource that a successful response reports.
   */
  complete(status: number, created?: Creation): void;
}

export interface PendingCreation extends Pending {
  /** To be called instead if the request was not sent, so that there is nothing to remove. */
  cancel(): void;
  /** To be called instead if no response arrives. The resource may exist. */
  giveUp(): void;
  /** How to remove the resource. Undefined if it cannot be removed, or if another create of the run may have created it. */
  ownRemoval(): Creation['removal'];
}

/** Every method has written to disk when it returns or resolves. */
export interface Ledger {
  readonly file: string;
  /**
   * If the budget is used up only by creates that have no response yet, waits for these. Throws NotTried if the budget
   * does not allow another resource that may not be removable.
   */
  willCreate(creation: Creation): Promise<PendingCreation>;
  /**
   * For a request that should not create anything, such as an update of a resource that does not exist. Undefined if the
   * resource exists. Counts against the budget only if the request succeeds.
   */
  mightCreate(creation: Creation): PendingCreation | undefined;
  willChange(change: Change): void;
  /**
   * For a request that may make a recorded change. Undefined if it makes none. A change of which every response said that there
   * is no such operation or permission is not undone at the end.
   */
  willUpdate(id: OperationId, path: Record<string, string>): Pending | undefined;
  /** Whether the ledger records how to restore what this call changes. */
  isChanged(id: OperationId, path: Record<string, string>): boolean;
  /**
   * Undefined if the run did not create the resource. Once the target has removed a resource of a kind, that kind no longer
   * counts against the budget.
   */
  willRemove(id: OperationId, path: Record<string, string>): Pending | undefined;
  /**
   * How many more resources this operation may create if all creates without a response are refused. Infinity once the
   * target has removed one of that kind.
   */
  mayCreate(id: OperationId): number;
}

export interface LedgerOptions {
  /** How many resources may be created whose removal is not documented and that the target has not removed before. */
  budget: number;
}

export const DEFAULT_BUDGET = 20;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The outcome of a create by its status. */
type CreateResult = 'created' | 'refused' | 'unknown';

/**
 * A gateway's 504, for example, does not say whether the request had an effect; a 501 says that the operation does not exist.
 * A create without a name that did not succeed counts as refused: its resource could not be found anyway.
 */
function createResult(status: number, { name }: Pick<Creation, 'name'>): CreateResult {
  if (isSuccess(status)) return 'created';
  const isRefused = (status >= 400 && status < 500) || isMissingStatus(status);
  return name === undefined || isRefused ? 'refused' : 'unknown';
}

/** Whether the response to a create says that nothing was created. */
export const isRefusal = (status: number, creation: Pick<Creation, 'name'>): boolean =>
  createResult(status, creation) === 'refused';

/** Whether the resource may exist after a create with this result. */
const mayExist: Readonly<Record<CreateResult, boolean>> = { created: true, unknown: true, refused: false };

/** What a run changes, and how many requests it has sent that may change it. */
interface RecordedChange {
  readonly numbers: number[];
  canBeRestored: boolean;
  sentCount: number;
  /** Of those, to how many the response said that they change nothing. */
  refusedCount: number;
}

const changesNothing = (status: number): boolean => isMissingStatus(status) || status === 401 || status === 403;

function trackChanges() {
  const changes = new Map<string, RecordedChange>();
  return {
    note(number: number, { changed, path, body }: Change): void {
      const key = callKey(changed, path);
      const known = changes.get(key) ?? { numbers: [], canBeRestored: false, sentCount: 0, refusedCount: 0 };
      known.numbers.push(number);
      known.canBeRestored ||= body !== undefined;
      changes.set(key, known);
    },
    update(id: OperationId, path: Record<string, string>): Pending | undefined {
      const change = changes.get(callKey(id, path));
      if (change === undefined) return undefined;
      change.sentCount += 1;
      return { complete: (status) => void (change.refusedCount += changesNothing(status) ? 1 : 0) };
    },
    canBeRestored: (id: OperationId, path: Record<string, string>): boolean =>
      changes.get(callKey(id, path))?.canBeRestored === true,
    /** Those that have changed nothing. */
    refused: (): number[] =>
      [...changes.values()].flatMap(({ numbers, sentCount, refusedCount }) =>
        sentCount > 0 && refusedCount === sentCount ? numbers : [],
      ),
  };
}

/** Throws if the file exists: it may be the only record of what an earlier run left. */
export function openLedger(
  file: string,
  header: LedgerHeader,
  { budget }: LedgerOptions = { budget: DEFAULT_BUDGET },
): Ledger & Closing {
  const descriptor = openSync(file, 'ax', 0o600);
  const resources = trackCreatedResources(budget);
  const changes = trackChanges();
  let lastNumber = 0;
  let isClosed = false;

  function write(line: LedgerLine): void {
    if (isClosed) throw new Error('The ledger is closed.'); // The descriptor may be that of another file.
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(descriptor);
  }
  write({ ledger: LEDGER_VERSION, ...header });

  function recordCreation(creation: Creation, onRefusal: (number: number) => void = () => {}): PendingCreation {
    const number = (lastNumber += 1);
    write({ number, ...creation });
    resources.start(number, creation);
    return {
      complete(status, created = creation) {
        const { created: _, ...other } = created;
        write({ number, status, ...(created.name !== creation.name && other) });
        if (mayExist[createResult(status, created)]) return resources.set(number, created);
        resources.delete(number);
        onRefusal(number);
      },
      cancel() {
        write({ number, undone: true });
        resources.delete(number);
      },
      giveUp: () => resources.set(number, creation),
      ownRemoval() {
        const { removal } = creation;
        return removal && resources.removedBy(removal.operation, removal.path).length === 1 ? removal : undefined;
      },
    };
  }

  function recordRemoval(number: number, creation: Creation, status: number): void {
    if (!isSuccess(status)) return write({ number, kept: status });
    write({ number, undone: true });
    resources.remove(number, creation);
  }

  return {
    file,
    async willCreate(creation) {
      while (!resources.isAllowed(creation)) await resources.nextOutcome(creation);
      return recordCreation(creation);
    },
    mightCreate(creation) {
      if (resources.has(lastNumber + 1, creation)) return undefined;
      // If it is refused, as expected, nothing is left to remove.
      return recordCreation(creation, (number) => write({ number, undone: true }));
    },
    willChange(change) {
      write({ number: (lastNumber += 1), ...change });
      changes.note(lastNumber, change);
    },
    willUpdate: (id, path) => changes.update(id, path),
    isChanged: (id, path) => changes.canBeRestored(id, path),
    willRemove(id, path) {
      const removed = resources.removedBy(id, path);
      if (removed.length === 0) return undefined;
      for (const [number] of removed) write({ number, removing: true });
      return {
        complete(status) {
          for (const [number, creation] of removed) recordRemoval(number, creation, status);
        },
      };
    },
    mayCreate: (id) => resources.available(id),
    close() {
      for (const number of changes.refused()) write({ number, undone: true });
      isClosed = true;
      closeSync(descriptor);
    },
  };
}

interface Closing {
  close(): void;
}
