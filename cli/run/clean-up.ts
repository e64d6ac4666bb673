/** Undoes what a run did to the target, in reverse order, and lists what could not be undone. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delayAfter, elapsedSince } from '../command-line/interruption.ts';
import { counted } from '../../spec/counted.ts';
import { prefixOf } from '../../suites/engine/run-prefix.ts';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { createClient } from '../../suites/target/client.ts';
import type { Client, ClientParts } from '../../suites/target/client.ts';
import { isChange, openUndoNotes, readLedger } from '../../suites/target/read-ledger.ts';
import type { LedgerChange, LedgerEntry } from '../../suites/target/read-ledger.ts';
import { redactionOf } from '../../suites/target/redaction.ts';
import { createBlocks } from '../../suites/target/blocks.ts';
import { createRefusals } from '../../suites/target/refusals.ts';
import type { Target } from '../../suites/target/target.ts';
import { secureContextOf } from '../../suites/target/tls-settings.ts';
import { createTokens } from '../../suites/target/token.ts';
import { createTransport } from '../../suites/target/transport.ts';
import { undo } from '../../suites/target/undo.ts';
import type { LeftBehind, UndoOptions } from '../../suites/target/undo.ts';

export interface CleanUpResult {
  /** What was undone, one sentence each. */
  done: string[];
  /** What could not be undone and why, one sentence each. */
  left: string[];
  /** Whether another attempt could undo some of what is left. */
  canRetry: boolean;
}

/** After an interruption, the clean-up sends requests for this long; `assay sweep` undoes the rest. */
const MAX_MS_SINCE_INTERRUPTION = 2500;
/** Even if it begins late. */
const MIN_CLEAN_UP_MS = 700;

export interface CleanUpOptions extends UndoOptions {
  record?: ClientParts['record'];
  /** Limits the time of the clean-up. */
  interrupted?: AbortSignal;
}

/** Deletes the ledger if nothing is left. */
export async function cleanUp(
  target: Target,
  ledgerFile: string | undefined,
  { record = () => {}, interrupted, ...options }: CleanUpOptions = {},
): Promise<CleanUpResult> {
  if (ledgerFile === undefined || !existsSync(ledgerFile)) return { done: [], left: [], canRetry: false };
  const redaction = redactionOf(target);
  const transport = createTransport({ rate: target.rate, secureContext: secureContextOf(target.tls) });
  const limit =
    interrupted &&
    delayAfter(interrupted, Math.max(MAX_MS_SINCE_INTERRUPTION, elapsedSince(interrupted) + MIN_CLEAN_UP_MS));
  void limit?.ended.then(transport.stop);
  const noRecording = { nextNumber: () => 0, record, recordFailure() {} };
  const withoutLedger = { mightCreate: () => undefined, willRemove: () => undefined };
  const willCreate = async () => ({ complete() {}, cancel() {}, giveUp() {}, ownRemoval: () => undefined });
  const tokens = createTokens(target, transport, redaction.learn);
  const parts = {
    target,
    transport,
    redaction,
    refusals: createRefusals(),
    blocks: createBlocks(transport, { tokens }),
    tokens,
    mayWrite: true,
    ...noRecording,
    ...withoutLedger,
    willCreate,
  };
  try {
    return await undoLedger(ledgerFile, createClient(parts, strongestCaller(target)), redaction.text, options);
  } finally {
    limit?.cancel();
    await transport.close();
  }
}

async function undoLedger(
  ledgerFile: string,
  client: Client,
  clean: (text: string) => string,
  options: UndoOptions,
): Promise<CleanUpResult> {
  const content = readLedger(ledgerFile);
  const { done, left, unchecked } = await undo(
    content,
    prefixOf(content.about.run),
    client,
    openUndoNotes(ledgerFile),
    options,
  );
  const all = [...left, ...unchecked];
  if (all.length === 0) await rm(ledgerFile);
  return {
    done: done.map((what) => clean(isChange(what) ? `Restored: ${describe(what)}.` : `Removed: ${describe(what)}.`)),
    left: [...left.map(describeLeft), ...describeUnchecked(unchecked)].map((line) => clean(line)),
    canRetry: all.some(({ canRetry }) => canRetry),
  };
}

const describeLeft = ({ what, why }: LeftBehind): string =>
  `${isChange(what) ? 'Not restored' : 'Not removed'}: ${describe(what)}, because ${why}.`;

/** One sentence, because the target probably created none of them. */
function describeUnchecked(unchecked: readonly LeftBehind[]): string[] {
  const [first] = unchecked;
  if (first === undefined) return [];
  const creates = counted(unchecked.length, 'refused create');
  return [`Not checked: whether ${creates} created something nevertheless, because ${first.why}.`];
}

/** What to do about what is left. `sweep`: the command that tries again. `isWatching`: while this process runs, it is refused. */
export function describeNextStep(
  { canRetry }: Pick<CleanUpResult, 'canRetry'>,
  sweep: string,
  isWatching = false,
): string {
  const when = isWatching ? ', after Ctrl-C' : '';
  return canRetry
    ? `To try again${when}: ${sweep}`
    : `Another attempt would not undo this. To forget it${when}: ${sweep} --forget (a mock forgets it when it stops)`;
}

const describe = (what: LedgerChange | LedgerEntry): string =>
  isChange(what)
    ? `${Object.values(what.path).join('/')} (changed by ${what.changed})`
    : `${what.name ?? 'an unnamed resource'} (created by ${what.created})`;

/** A shorter clean-up is not worth mentioning. */
const MIN_MENTIONED_MS = 2000;

/** A sentence after a space. Empty if the clean-up was short. */
export function describeDurations(testingMs: number, cleanUpMs: number): string {
  if (cleanUpMs <= MIN_MENTIONED_MS) return '';
  const [testing, cleaning] = [testingMs, cleanUpMs].map((ms) => (ms / 1000).toFixed(1));
  return ` Testing took ${testing} s, the clean-up ${cleaning} s.`;
}
