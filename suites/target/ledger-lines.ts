/** The form of a ledger: a line of JSON for each thing that a run creates, changes and removes, in the order of time. */
import type { OperationId } from '../../spec/generated/types.ts';

/** The version of the form. */
export const LEDGER_VERSION = 1;

/** The first line: whose ledger it is. */
export interface LedgerHeader {
  /** The id of the run: what it creates is called `assay-<run>-…`. */
  run: string;
  /** The management address of the target; behind a proxy the target's own. */
  target: string;
  /** Absent where the target names none. */
  workspace?: string;
  /** Of the process that runs, and of the machine that it runs on. */
  pid: number;
  host: string;
  /** When that process began (see ProcessFacts); absent where that cannot be known. */
  processStart?: string;
  /** RFC 3339, UTC. */
  startedAt: string;
}

/** Something that is about to be created. */
export interface Creation {
  created: OperationId;
  /** Absent where it was asked for without one that it could be found by. */
  name?: string;
  /** As it was answered, where the target made up the name. */
  displayName?: string;
  /** Absent where the interface shows no way to remove it. */
  removal?: Removal;
}

export interface Removal {
  operation: OperationId;
  path: Record<string, string>;
  /** The workspace header of the creating request, where that was not the target's; empty where it had none. */
  headers?: Record<string, string>;
}

/** Something that the run did not create and is about to change, with the call that puts back what was there. */
export interface Change {
  changed: OperationId;
  path: Record<string, string>;
  /** Absent where what was there could not be read. */
  body?: unknown;
}

export type LedgerLine =
  | ({ ledger: typeof LEDGER_VERSION } & LedgerHeader)
  | ({ number: number } & (Creation | Change))
  /** What the creating request of that number was answered, and what was made of it where that is not what was asked for. */
  | ({ number: number; status: number } & Omit<Creation, 'created'>)
  /** A removal of what that number created is on its way. */
  | { number: number; removing: true }
  /** The removal was answered with no success. */
  | { number: number; kept: number }
  /** What that number created is removed, or what it changed is put back. */
  | { number: number; undone: true };
