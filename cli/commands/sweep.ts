/** The command `assay sweep`: undoes what the ledgers of earlier runs say that they left at a target. */
import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { displayFolder } from '../../reports/replay-command.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import type { LedgerAbout } from '../../suites/target/ledger.ts';
import { readLedger, UnreadableLedger } from '../../suites/target/read-ledger.ts';
import { ownAddress } from '../../suites/target/target.ts';
import type { Target } from '../../suites/target/target.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { cleanUp } from '../run/clean-up.ts';
import { describeActiveRun } from '../run/run-liveness.ts';
import { LEDGER_FILE } from '../run/report-folder.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { defineRequestFlags } from '../command-line/target-flags.ts';
import { findTarget, TargetUnreachableError, reportUnreachable } from '../command-line/find-target.ts';
import type { TargetFlags } from '../command-line/find-target.ts';

interface Flags extends TargetFlags {
  report?: string;
  force?: boolean;
  forget?: boolean;
}

/** A ledger that was found; `about` is absent where it cannot be read. */
interface Found {
  file: string;
  about?: LedgerAbout;
}

export const subcommand: CommandModule = {
  define(command) {
    defineRequestFlags(command)
      .option('--report <dir>', 'the report folder of the run to undo (default: all of reports/out)')
      .option('--force', 'also a run that seems to go on still, and what somebody else has changed since')
      .option('--forget', 'drop the ledgers also where something is left, which is named: you removed it by hand');
  },
  async run(options) {
    const flags = options as Flags;
    const ledgers = ledgersOf(flags.report);
    try {
      return (await swept(ledgers, await findTarget(flags, process.env), flags)) ? 0 : 1;
    } catch (error) {
      if (error instanceof TargetUnreachableError) return reportUnreachable('sweep', error);
      throw error;
    }
  },
};

/** The latest run first: what it found before its change may be what an earlier one left. */
function ledgersOf(folder: string | undefined): Found[] {
  if (folder !== undefined && !existsSync(folder)) throw new UsageError(`there is no folder "${folder}".`);
  const pattern = folder === undefined ? path.join('reports', 'out', '*', LEDGER_FILE) : path.join(folder, LEDGER_FILE);
  const files = folder === undefined ? globSync(pattern) : [pattern].filter((file) => existsSync(file));
  const startOf = ({ about }: Found): string => about?.startedAt ?? '';
  return files.map(found).toSorted((a, b) => (startOf(a) < startOf(b) ? 1 : -1));
}

function found(file: string): Found {
  try {
    return { file, about: readLedger(file).about };
  } catch (error) {
    if (error instanceof UnreadableLedger) return { file };
    throw error;
  }
}

/** What came of one ledger. */
type Outcome = 'undone' | 'something left' | 'forgotten' | 'unreadable' | 'passed over';

/** Whether nothing is left; of other targets and of runs that go on it is not asked, unless --report names such a one. */
async function swept(ledgers: readonly Found[], target: Target, flags: Flags): Promise<boolean> {
  const outcomes: Outcome[] = [];
  for (const ledger of ledgers) outcomes.push(await outcomeOf(ledger, target, flags));
  say(outcomes.length === 0 ? noLedger(flags.report) : summary(outcomes));
  return outcomes.every(isClean);
}

const isClean = (outcome: Outcome): boolean => outcome !== 'something left' && outcome !== 'unreadable';

/** Throws BadUsage where a ledger is to be passed over that was named. */
async function outcomeOf({ file, about }: Found, target: Target, { report, force, forget }: Flags): Promise<Outcome> {
  if (about === undefined) {
    say(`${shown(file)} is no ledger that can be read: what it says is not undone.`);
    return 'unreadable';
  }
  const foreign = whyOfAnother(about, target) ?? (force === true ? undefined : whyNotYet(about, file));
  if (foreign !== undefined && report !== undefined)
    throw new UsageError(`${shown(file)} ${foreign}: nothing was undone.`);
  if (foreign !== undefined) {
    say(`${shown(file)} ${foreign}: passed over.`);
    return 'passed over';
  }
  const { done, left } = await cleanUp(target, file, { isLate: force !== true });
  for (const line of [...done, ...left]) say(line);
  if (left.length === 0) return 'undone';
  if (forget !== true) return 'something left';
  rmSync(file, { force: true });
  return 'forgotten';
}

function whyOfAnother(about: LedgerAbout, target: Target): string | undefined {
  const own = ownAddress(target);
  if (about.target !== own) return `is of another target (${about.target}), not of ${own}`;
  const [theirs, ours] = [about.workspace, target.workspace];
  if (theirs === undefined || ours === undefined || theirs === ours) return undefined;
  return `is of another workspace (${theirs}), not of ${ours}`;
}

function whyNotYet(about: LedgerAbout, file: string): string | undefined {
  const why = describeActiveRun(about, file);
  return why === undefined ? undefined : `is of a run ${why} (--force sweeps it all the same)`;
}

const noLedger = (folder: string | undefined): string =>
  folder === undefined
    ? 'No ledger below reports/out; a run with --report DIR has its own: --report DIR.'
    : `No ledger in ${shown(folder)}; a run that left nothing behind has none.`;

/** Of what was passed over it is not known whether anything is left. */
function summary(outcomes: readonly Outcome[]): string {
  const count = (wanted: Outcome): number => outcomes.filter((each) => each === wanted).length;
  const [passed, own] = [count('passed over'), outcomes.length - count('passed over') - count('unreadable')];
  const runs = own === 1 ? '1 run swept' : `${own} runs swept`;
  if (!outcomes.every(isClean)) return `${runs}; something is left, as said above.`;
  if (own === 0) return `${runs}: every ledger was passed over, as said above.`;
  const left = count('forgotten') === 0 ? 'nothing is left' : 'what is left, as said above, is forgotten';
  return `${runs}; ${left}${passed === 0 ? '' : `, but what ${passed} passed over may tell of`}.`;
}

/** Names may be the target's own. */
const say = (line: string): void => void process.stdout.write(outputLine(line));
const shown = (file: string): string => displayFolder(path.resolve(file));
