/** `assay sweep`: removes what the ledgers of earlier runs list as left at a target. */
import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { displayFolder, sweepCommand } from '../../reports/replay-command.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import type { LedgerHeader } from '../../suites/target/ledger.ts';
import { readLedger, UnreadableLedger } from '../../suites/target/read-ledger.ts';
import { ownAddress } from '../../suites/target/target.ts';
import type { Target } from '../../suites/target/target.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { targetReference } from '../command-line/target-reference.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { cleanUp, describeNextStep } from '../run/clean-up.ts';
import { describeActiveRun } from '../run/run-liveness.ts';
import { LEDGER_FILE, LEFT_BY } from '../run/report-folder.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { defineRequestFlags } from '../command-line/target-flags.ts';
import { findTarget, TargetUnreachableError, reportUnreachable } from '../command-line/find-target.ts';
import type { TargetFlags } from '../command-line/find-target.ts';

interface Flags extends TargetFlags {
  report?: string;
  force?: boolean;
  forget?: boolean;
}

/** A ledger file; `problem`: why it cannot be read. */
type FoundLedger = { readonly file: string } & ({ readonly about: LedgerHeader } | { readonly problem: string });

export const subcommand: CommandModule = {
  examples: [
    'assay sweep --target assay.target.yaml',
    'assay sweep --target assay.target.yaml --report reports/out/RUN',
  ],
  define(command) {
    defineRequestFlags(command)
      .option('--report <dir>', 'report folder of the run to undo (default: all folders of reports/out)')
      .option('--force', 'also undoes runs that may still be active, and resources that others changed since')
      .option('--forget', 'deletes the ledgers even if something could not be removed; it is listed');
  },
  async run(options) {
    const flags = options as Flags;
    const ledgers = ledgersOf(flags.report);
    try {
      return (await sweepAll(ledgers, await findTarget(flags, process.env), flags)) ? 0 : 1;
    } catch (error) {
      if (error instanceof TargetUnreachableError) return reportUnreachable('sweep', error);
      throw error;
    }
  },
};

/** The latest run first, because it may have changed what an earlier one left. */
function ledgersOf(folder: string | undefined): FoundLedger[] {
  if (folder !== undefined && !existsSync(folder))
    throw new UsageError(`The folder "${folder}" does not exist; there is nothing to sweep.`);
  // Those of a comparison are in two folders of its own, and those of runs of --watch with --report in one each.
  const below = ['.', 'a', 'b', `${LEFT_BY}*`].map((side) => path.join(side, LEDGER_FILE));
  const files =
    folder === undefined
      ? below.flatMap((file) => globSync(path.join(REPORTS_FOLDER, '*', file)))
      : globSync(below, { cwd: folder }).map((file) => path.join(folder, file));
  const startOf = (ledger: FoundLedger): string => ('about' in ledger ? ledger.about.startedAt : '');
  return files.map(openLedger).toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
}

function openLedger(file: string): FoundLedger {
  try {
    return { file, about: readLedger(file).about };
  } catch (error) {
    if (error instanceof UnreadableLedger) return { file, problem: error.message };
    throw error;
  }
}

/** The result of sweeping one ledger. */
type Outcome = 'undone' | 'something left' | 'cannot be undone' | 'forgotten' | 'unreadable' | 'skipped';

/** Returns whether another sweep would undo nothing more. Ledgers of other targets and of active runs are skipped. */
async function sweepAll(ledgers: readonly FoundLedger[], target: Target, flags: Flags): Promise<boolean> {
  const outcomes: Outcome[] = [];
  const isOnly = flags.report !== undefined && ledgers.length === 1;
  for (const ledger of ledgers) outcomes.push(await sweepLedger(ledger, target, { ...flags, isOnly }));
  if (flags.report !== undefined && outcomes.length > 0 && outcomes.every((each) => each === 'skipped'))
    throw new UsageError(`Nothing was removed: every ledger in ${displayPath(flags.report)} was skipped.`);
  print(outcomes.length === 0 ? noLedger(flags.report) : summary(outcomes));
  const next = nextStep(outcomes, sweepCommand(targetReference(flags, target, process.env), flags.report));
  if (next !== undefined) print(next);
  return outcomes.every(isClean);
}

const isLeft = (outcome: Outcome): boolean => outcome === 'something left' || outcome === 'cannot be undone';
const isClean = (outcome: Outcome): boolean => outcome !== 'something left' && outcome !== 'unreadable';

/** Throws UsageError if the ledger would be skipped although it is the only one in the folder of --report. */
async function sweepLedger(
  ledger: FoundLedger,
  target: Target,
  { isOnly, force, forget }: Flags & { readonly isOnly: boolean },
): Promise<Outcome> {
  const { file } = ledger;
  if ('problem' in ledger) {
    print(`${displayPath(file)} is not a readable ledger: ${ledger.problem}. Nothing in it was undone.`);
    return 'unreadable';
  }
  const { about } = ledger;
  const foreign =
    describeOtherTarget(about, target) ?? (force === true ? undefined : describeActiveLedger(about, file));
  if (foreign !== undefined && isOnly) throw new UsageError(`Nothing was removed: ${displayPath(file)} ${foreign}.`);
  if (foreign !== undefined) {
    print(`${displayPath(file)} ${foreign}: skipped.`);
    return 'skipped';
  }
  const { done, left, canRetry } = await cleanUp(target, file, { isLate: force !== true });
  for (const line of [...done, ...left]) print(line);
  if (left.length === 0) return 'undone';
  if (forget !== true) return canRetry ? 'something left' : 'cannot be undone';
  rmSync(file, { force: true });
  return 'forgotten';
}

function describeOtherTarget(about: LedgerHeader, target: Target): string | undefined {
  const own = ownAddress(target);
  if (about.target !== own) return `belongs to another target (${about.target}), not to ${own}`;
  const [theirs, ours] = [about.workspace, target.workspace];
  if (theirs === undefined || ours === undefined || theirs === ours) return undefined;
  return `belongs to another workspace (${theirs}), not to ${ours}`;
}

function describeActiveLedger(about: LedgerHeader, file: string): string | undefined {
  const why = describeActiveRun(about, file);
  return why === undefined ? undefined : `belongs to a run ${why} (--force sweeps it anyway)`;
}

const noLedger = (folder: string | undefined): string =>
  folder === undefined
    ? `Nothing to sweep: no run in ${REPORTS_FOLDER} left a ledger. For a run with --report DIR, pass the same --report DIR.`
    : `No ledger in ${displayPath(folder)}: the run left nothing behind, or what it left was forgotten.`;

/** It is unknown whether anything is left of a skipped ledger. */
function summary(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length;
  const [skipped, own] = [count('skipped'), outcomes.length - count('skipped') - count('unreadable')];
  const runs = own === 1 ? '1 run swept' : `${own} runs swept`;
  if (outcomes.some(isLeft)) return `${runs}; something is left, see above.`;
  if (outcomes.includes('unreadable')) return `${runs}; something may be left, see above.`;
  if (own === 0) return `${runs}: every ledger was skipped, see above.`;
  const left = count('forgotten') === 0 ? 'nothing is left' : 'the ledgers of what is left (see above) were deleted';
  return `${runs}; ${left}${skipped === 0 ? '' : ` except possibly from the ${skipped} skipped`}.`;
}

/** Undefined if nothing is left. */
function nextStep(outcomes: readonly Outcome[], command: string): string | undefined {
  if (!outcomes.some(isLeft)) return undefined;
  return describeNextStep({ canRetry: outcomes.includes('something left') }, command);
}

/** Escaped, because names may come from the target. */
const print = (line: string): void => void process.stdout.write(outputLine(line, process.stdout));
const displayPath = (file: string): string => displayFolder(path.resolve(file));
