/** The command `assay sweep`: undoes what the ledgers of earlier runs say that they left at a target. */
import { existsSync, globSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { shownFolder } from '../reports/replay-command.ts';
import type { LedgerAbout } from '../suites/target/ledger.ts';
import { readLedger, UnreadableLedger } from '../suites/target/read-ledger.ts';
import type { Target } from '../suites/target/target.ts';
import { BadUsage } from './bad-usage.ts';
import { cleanUp } from './clean-up.ts';
import { LEDGER_FILE } from './report-folder.ts';
import type { Subcommand } from './subcommand.ts';
import { findTarget, Unreachable, unreachable } from './test-target.ts';
import type { TargetFlags } from './test-target.ts';

interface Flags extends TargetFlags {
  report?: string;
}

/** A ledger that was found; `about` is absent where it cannot be read. */
interface Found {
  file: string;
  about?: LedgerAbout;
}

export const subcommand: Subcommand = {
  define(command) {
    command
      .option('--target <file>', 'target file, YAML or JSON; - is standard input (default: ASSAY_TARGET)')
      .option('--base-url <url>', 'management address of a target without a file')
      .option('--report <dir>', 'the report folder of the run to undo (default: all of reports/out)');
  },
  async run(options) {
    const flags = options as Flags;
    const ledgers = ledgersOf(flags.report);
    try {
      return (await swept(ledgers, await findTarget(flags, process.env), flags.report)) ? 0 : 1;
    } catch (error) {
      if (error instanceof Unreachable) return unreachable('sweep', error);
      throw error;
    }
  },
};

/** The latest run first: what it found before its change may be what an earlier one left. */
function ledgersOf(folder: string | undefined): Found[] {
  if (folder !== undefined && !existsSync(folder)) throw new BadUsage(`there is no folder "${folder}".`);
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
type Outcome = 'undone' | 'something left' | 'unreadable' | 'passed over';

/** Whether nothing is left; of other targets and of runs that go on it is not asked, unless `folder` names such a one. */
async function swept(ledgers: readonly Found[], target: Target, folder: string | undefined): Promise<boolean> {
  const outcomes: Outcome[] = [];
  for (const ledger of ledgers) outcomes.push(await outcomeOf(ledger, target, folder !== undefined));
  say(outcomes.length === 0 ? noLedger(folder) : summary(outcomes));
  return outcomes.every(isClean);
}

const isClean = (outcome: Outcome): boolean => outcome === 'undone' || outcome === 'passed over';

/** Throws BadUsage where a ledger is to be passed over that was named. */
async function outcomeOf({ file, about }: Found, target: Target, isNamed: boolean): Promise<Outcome> {
  if (about === undefined) {
    say(`${shown(file)} is no ledger that can be read: what it says is not undone.`);
    return 'unreadable';
  }
  const foreign = whyNotOurs(about, target);
  if (foreign !== undefined && isNamed) throw new BadUsage(`${shown(file)} ${foreign}: nothing was undone.`);
  if (foreign !== undefined) {
    say(`${shown(file)} ${foreign}: passed over.`);
    return 'passed over';
  }
  const { done, left } = await cleanUp(target, file);
  for (const line of [...done, ...left]) say(line);
  return left.length === 0 ? 'undone' : 'something left';
}

function whyNotOurs(about: LedgerAbout, { addresses: { management } }: Target): string | undefined {
  if (about.target !== management) return `is of another target (${about.target}), not of ${management}`;
  return goesOn(about) ? `is of a run that still goes on (process ${about.pid})` : undefined;
}

const noLedger = (folder: string | undefined): string =>
  folder === undefined
    ? 'No ledger below reports/out; a run with --report DIR has its own: --report DIR.'
    : `No ledger in ${shown(folder)}; a run that left nothing behind has none.`;

/** Of what was passed over it is not known whether anything is left. */
function summary(outcomes: readonly Outcome[]): string {
  const own = outcomes.filter((each) => each === 'undone' || each === 'something left').length;
  const runs = own === 1 ? '1 run swept' : `${own} runs swept`;
  if (!outcomes.every(isClean)) return `${runs}; something is left, as said above.`;
  return own === 0 ? `${runs}: every ledger was passed over, as said above.` : `${runs}; nothing is left.`;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const shown = (file: string): string => shownFolder(path.resolve(file));

/** Of a process of another machine nothing can be known: it counts as ended. */
function goesOn({ pid, host }: LedgerAbout): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
