/** Reads what a ledger says that is still to be undone, and writes into it what has been. */
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import type { OperationId } from '../../spec/generated/types.ts';
import { isRefusal } from './ledger.ts';
import { LEDGER_VERSION } from './ledger-lines.ts';
import type { Change, Creation, LedgerHeader, LedgerLine } from './ledger-lines.ts';

/** What a ledger says of one creation that is not known to be removed. */
export interface LedgerEntry extends Creation {
  number: number;
  /** Of the answer to the creating request; absent where none came before the run ended. */
  status?: number;
  /** A removal was sent, and no answer to it came before the run ended. */
  removing?: true;
}

export type LedgerChange = Change & { number: number };

export interface LedgerContent {
  about: LedgerHeader;
  /** In the order of creation. */
  creations: LedgerEntry[];
  /** In the order of time. */
  changes: LedgerChange[];
  /** Operations of which one is known to have removed what it should. */
  removals: ReadonlySet<OperationId>;
}

export interface UndoNotes {
  removing(number: number): void;
  kept(number: number, status: number): void;
  undone(number: number): void;
}

/** The file is no ledger that this version can read. */
export class UnreadableLedger extends Error {}

/** A last line that was cut off is left out: its request never left. Throws UnreadableLedger. */
export function readLedger(file: string): LedgerContent {
  const texts = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  const [about, ...lines] = texts.map((text) => parseLine(text, file));
  if (about === undefined || !('ledger' in about) || about.ledger !== LEDGER_VERSION)
    throw new UnreadableLedger(`${file} does not begin as a ledger of form ${LEDGER_VERSION}`);
  const entries = new Map<number, LedgerEntry | LedgerChange>();
  const removals = new Set<OperationId>();
  for (const line of lines) applyLine(line, entries, removals);
  const all = [...entries.values()];
  return {
    about,
    creations: all.filter((entry) => 'created' in entry),
    changes: all.filter((entry) => 'changed' in entry),
    removals,
  };
}

function parseLine(text: string, file: string): LedgerLine {
  try {
    return JSON.parse(text) as LedgerLine;
  } catch {
    throw new UnreadableLedger(`${file} has a line that is no JSON`);
  }
}

export const wasRefused = (entry: LedgerEntry): boolean => entry.status !== undefined && isRefusal(entry.status, entry);

function applyLine(
  line: LedgerLine,
  entries: Map<number, LedgerEntry | LedgerChange>,
  removals: Set<OperationId>,
): void {
  if ('ledger' in line) return;
  if ('created' in line || 'changed' in line) {
    entries.set(line.number, line);
    return;
  }
  const entry = entries.get(line.number);
  if (entry === undefined || !('created' in entry)) {
    if ('undone' in line) entries.delete(line.number);
    return;
  }
  if ('status' in line) Object.assign(entry, line);
  else if ('removing' in line) entry.removing = true;
  else {
    delete entry.removing;
    if ('kept' in line) return;
    // Of what was refused nothing may have been there to remove.
    if (entry.removal !== undefined && !wasRefused(entry)) removals.add(entry.removal.operation);
    entries.delete(line.number);
  }
}

/** Drops a last line that was cut off, so that the next one begins a line of its own. */
export function openUndoNotes(file: string): UndoNotes {
  const text = readFileSync(file);
  truncateSync(file, text.lastIndexOf('\n') + 1);
  const write = (line: LedgerLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  return {
    removing: (number) => write({ number, removing: true }),
    kept: (number, status) => write({ number, kept: status }),
    undone: (number) => write({ number, undone: true }),
  };
}
