/** Reads which creations and changes of a ledger still have to be undone, and records what has been undone. */
import { appendFileSync, readFileSync, truncateSync } from 'node:fs';
import { describeFileError } from '../../spec/describe-file-error.ts';
import { parseJson } from '../../spec/files/parse-json.ts';
import { readBytes } from '../../spec/files/read-text.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import { isRefusal } from './ledger.ts';
import { LEDGER_VERSION } from './ledger-lines.ts';
import { ledgerLineSchema } from './ledger-schema.ts';
import type { Change, Creation, LedgerHeader, LedgerLine } from './ledger-lines.ts';

/** A creation that is not known to be removed. */
export interface LedgerEntry extends Creation {
  number: number;
  /** Of the response to the create. Absent if none arrived before the run ended. */
  status?: number;
  /** A removal was sent, but no response arrived before the run ended. */
  removing?: true;
}

export type LedgerChange = Change & { number: number };

export interface LedgerContent {
  about: LedgerHeader;
  /** In the order of creation. */
  creations: LedgerEntry[];
  /** In chronological order. */
  changes: LedgerChange[];
  /** Operations that have removed a resource. */
  removals: ReadonlySet<OperationId>;
}

export interface UndoNotes {
  /** A removal is about to be sent. */
  removing(number: number): void;
  /** It was not sent after all. */
  unsent(number: number): void;
  kept(number: number, status: number): void;
  undone(number: number): void;
}

/** The file is not a ledger that this version can read. The message says why, without the file. */
export class UnreadableLedger extends Error {}

/** Ignores an incomplete last line, because its request was not sent. Throws UnreadableLedger. */
export function readLedger(file: string): LedgerContent {
  const texts = readText(file).split('\n').slice(0, -1);
  const [about, ...lines] = texts.map((text, index) => parseLine(text, index + 1));
  if (about === undefined || !('ledger' in about) || about.ledger !== LEDGER_VERSION)
    throw new UnreadableLedger(`line 1 is not that of a ledger of version ${LEDGER_VERSION}`);
  const entries = new Map<number, LedgerEntry | LedgerChange>();
  const removals = new Set<OperationId>();
  for (const line of lines) applyLine(line, { entries, removals });
  const all = [...entries.values()];
  return {
    about,
    creations: all.filter((entry) => 'created' in entry),
    changes: all.filter((entry) => 'changed' in entry),
    removals,
  };
}

const MAX_LEDGER_BYTES = 64 * 1024 * 1024;

/** A killed run may have left half of a character, in the line that is ignored. */
function readText(file: string): string {
  try {
    return readBytes(file, MAX_LEDGER_BYTES).toString();
  } catch (error) {
    throw new UnreadableLedger(`it ${describeFileError(error)}`);
  }
}

function parseLine(text: string, number: number): LedgerLine {
  let line: unknown;
  try {
    line = parseJson(text);
  } catch {
    throw new UnreadableLedger(`line ${number} is not JSON`);
  }
  if (!ledgerLineSchema.safeParse(line).success) throw new UnreadableLedger(`line ${number} is not one of a ledger`);
  return line as LedgerLine;
}

export const wasRefused = (entry: LedgerEntry): boolean => entry.status !== undefined && isRefusal(entry.status, entry);

/**
 * Whether the end of this entry proves that the target removes such resources: not if the creation was refused, because
 * the resource may not have existed, or was never sent, so that neither a response nor a removal is recorded.
 */
const wasRemoved = (entry: LedgerEntry): boolean =>
  !wasRefused(entry) && (entry.status !== undefined || entry.removing === true);

interface ReadState {
  readonly entries: Map<number, LedgerEntry | LedgerChange>;
  readonly removals: Set<OperationId>;
}

type EntryLine = Exclude<LedgerLine, { readonly ledger: unknown } | Creation | Change>;

/** What each kind of line does to the creation that it is about. */
const transitions = {
  status: (entry: LedgerEntry, _: ReadState, line: EntryLine) => void Object.assign(entry, line),
  removing(entry: LedgerEntry, _: ReadState, line: EntryLine) {
    delete entry.removing;
    if ('removing' in line && line.removing) entry.removing = true;
  },
  kept: (entry: LedgerEntry) => void delete entry.removing,
  undone(entry: LedgerEntry, { entries, removals }: ReadState) {
    if (entry.removal !== undefined && wasRemoved(entry)) removals.add(entry.removal.operation);
    entries.delete(entry.number);
  },
};

const kinds = Object.keys(transitions) as (keyof typeof transitions)[];

function applyLine(line: LedgerLine, state: ReadState): void {
  if ('ledger' in line) return;
  if ('created' in line || 'changed' in line) return void state.entries.set(line.number, line);
  const kind = kinds.find((each) => each in line);
  const entry = state.entries.get(line.number);
  if (kind === undefined || entry === undefined) return;
  if ('created' in entry) transitions[kind](entry, state, line);
  else if (kind === 'undone') state.entries.delete(line.number);
}

/** Removes an incomplete last line first. */
export function openUndoNotes(file: string): UndoNotes {
  const text = readFileSync(file);
  truncateSync(file, text.lastIndexOf('\n') + 1);
  const write = (line: LedgerLine): void => appendFileSync(file, `${JSON.stringify(line)}\n`);
  return {
    removing: (number) => write({ number, removing: true }),
    unsent: (number) => write({ number, removing: false }),
    kept: (number, status) => write({ number, kept: status }),
    undone: (number) => write({ number, undone: true }),
  };
}

/** Whether another attempt could undo it. */
export const canBeRetried = (what: LedgerChange | LedgerEntry): boolean =>
  isChange(what) ? what.body !== undefined : what.removal !== undefined;

export const isChange = (what: LedgerChange | LedgerEntry): what is LedgerChange => 'changed' in what;
