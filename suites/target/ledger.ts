/** What a run creates and changes, on disk before the request leaves, so that it can be undone whatever happens. */
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { OperationId } from '../../spec/generated/types.ts';
import { operation } from '../../spec/operations.ts';
import { NotTried } from '../violation.ts';

/** Something that is about to be created. */
export interface Creation {
  created: OperationId;
  name: string;
  /** Absent where the interface shows no way to remove it. */
  removal?: { operation: OperationId; path: Record<string, string> };
}

/** Something that the run did not create and is about to change: the call that puts back what was there. */
export interface Change {
  changed: OperationId;
  path: Record<string, string>;
  body: unknown;
}

type Line =
  | ({ number: number } & Creation)
  | Change
  /** What the creating request of that number was answered. */
  | { number: number; status: number }
  /** The run has removed by itself what that number created. */
  | { number: number; removed: true };

/** A creation whose request is on its way. */
export interface Pending {
  /** Say it once the answer is there; unsaid, the thing may or may not exist. */
  answered(status: number): void;
}

export interface Ledger {
  readonly file: string;
  /** On disk when it returns. Throws NotTried where it would be one thing too many that cannot be removed again. */
  willCreate(creation: Creation): Pending;
  /** On disk when it returns. */
  willChange(change: Change): void;
  /** A removal that the target has carried out. What it can remove costs nothing of the budget. */
  removed(id: OperationId, path: Record<string, string>): void;
  /** How many more things this operation may create at this target; Infinity once one of its kind could be removed. */
  mayCreate(id: OperationId): number;
}

export interface LedgerOptions {
  /** How many things may be created for which the interface shows no removal and the target has had none either. */
  budget: number;
}

export const DEFAULT_BUDGET = 20;

/** Whether the interface documents how to remove what was created; an inferred removal may be missing. */
const isSure = ({ removal }: Creation): boolean => removal !== undefined && operation(removal.operation).documented;
const keyOf = (id: OperationId, path: Record<string, string>): string =>
  JSON.stringify([id, ...Object.entries(path).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
const isAccepted = (status: number): boolean => status >= 200 && status < 300;

export function openLedger(file: string, { budget }: LedgerOptions = { budget: DEFAULT_BUDGET }): Ledger & Closing {
  const descriptor = openSync(file, 'a', 0o600);
  const removable = new Set<OperationId>();
  /** Creations that may stay, by number: not yet removed, and not refused. */
  const staying = new Map<number, Creation>();
  let created = 0;

  function write(line: Line): void {
    writeSync(descriptor, `${JSON.stringify(line)}\n`);
    fsyncSync(descriptor);
  }

  const costs = (creation: Creation): boolean => !isSure(creation) && !removable.has(creation.created);
  const spent = (): number => [...staying.values()].filter(costs).length;

  function willCreate(creation: Creation): Pending {
    if (costs(creation) && spent() >= budget)
      throw new NotTried(`leave to create more: ${budget} things are there that this target may not be able to remove`);
    const number = (created += 1);
    write({ number, ...creation });
    staying.set(number, creation);
    return {
      answered(status) {
        write({ number, status });
        if (!isAccepted(status)) staying.delete(number);
      },
    };
  }

  function removed(id: OperationId, path: Record<string, string>): void {
    const key = keyOf(id, path);
    for (const [number, { created: by, removal }] of staying) {
      if (removal === undefined || keyOf(removal.operation, removal.path) !== key) continue;
      write({ number, removed: true });
      staying.delete(number);
      removable.add(by);
    }
  }

  function mayCreate(id: OperationId): number {
    return removable.has(id) ? Infinity : budget - spent();
  }

  return { file, willCreate, willChange: write, removed, mayCreate, close: () => closeSync(descriptor) };
}

interface Closing {
  close(): void;
}

/** What a ledger says of one creation. */
export interface LedgerEntry extends Creation {
  /** Of the answer to the creating request; absent where none came before the run ended. */
  status?: number;
}

export interface LedgerContent {
  /** In the order of creation; without those that the run removed by itself. */
  creations: LedgerEntry[];
  changes: Change[];
}

/** A last line that was cut off is left out: its request never left. */
export function readLedger(file: string): LedgerContent {
  const texts = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const creations = new Map<number, LedgerEntry>();
  const changes: Change[] = [];
  for (const line of texts.map((text) => JSON.parse(text) as Line)) {
    if ('changed' in line) changes.push(line);
    else if ('removed' in line) creations.delete(line.number);
    else if ('status' in line) Object.assign(creations.get(line.number) ?? {}, { status: line.status });
    else {
      const { number, ...creation } = line;
      creations.set(number, creation);
    }
  }
  return { creations: [...creations.values()], changes };
}
