/** The format of a ledger: one JSON line for everything that a run creates, changes or removes, in chronological order. */
import type { OperationId } from '../../spec/generated/types.ts';

/** The version of the format. */
export const LEDGER_VERSION = 1;

/** The first line: the run and its target. */
export interface LedgerHeader {
  /** The id of the run. Names of what it creates begin with `assay-<run>-`. */
  run: string;
  /** The management address of the target, not of a proxy. */
  target: string;
  /** Absent if the target has none. */
  workspace?: string;
  /** The process of the run, and its machine. */
  pid: number;
  host: string;
  /** When the process started (see ProcessFacts). Absent if unknown. */
  processStart?: string;
  /** RFC 3339, UTC. */
  startedAt: string;
}

/** A resource that is about to be created. */
export interface Creation {
  created: OperationId;
  /** Absent if it was created without a name. */
  name?: string;
  /** From the response, if the target chose the name. */
  displayName?: string;
  /** Absent if the interface has no operation to remove it. */
  removal?: Removal;
}

export interface Removal {
  operation: OperationId;
  path: Record<string, string>;
  /** The workspace header of the create, if it differed from the target's. Empty if the create had none. */
  headers?: Record<string, string>;
}

/** A resource that the run did not create and is about to change, with the call that restores it. */
export interface Change {
  changed: OperationId;
  path: Record<string, string>;
  /** Absent if the previous state could not be read. */
  body?: unknown;
}

export type LedgerLine =
  | ({ ledger: typeof LEDGER_VERSION } & LedgerHeader)
  | ({ number: number } & (Creation | Change))
  /** The response to the create of that number, and the created resource if it differs from the request. */
  | ({ number: number; status: number } & Omit<Creation, 'created'>)
  /** A removal of that resource is about to be sent; false: it was not sent after all. */
  | { number: number; removing: boolean }
  /** The removal failed with this status. */
  | { number: number; kept: number }
  /** The resource has been removed or was never created, or the change restored. */
  | { number: number; undone: true };
