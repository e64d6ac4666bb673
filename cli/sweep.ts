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
      return (await swept(ledgers, await findTarget(flags, process.env))) ? 0 : 1;
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

/** Whether nothing is left; of other targets and of runs that go on it is not asked. */
async function swept(ledgers: readonly Found[], target: Target): Promise<boolean> {
  let [clean, own] = [true, 0];
  for (const { file, about } of ledgers) {
    if (about === undefined) {
      say(`${shown(file)} is no ledger that can be read: what it says is not undone.`);
      clean = false;
    } else if (about.target !== target.addresses.management)
      say(`${shown(file)} is of another target (${about.target}): passed over.`);
    else if (goesOn(about)) say(`${shown(file)} is of a run that still goes on (process ${about.pid}): passed over.`);
    else {
      own += 1;
      const { done, left } = await cleanUp(target, file);
      for (const line of [...done, ...left]) say(line);
      clean &&= left.length === 0;
    }
  }
  say(
    `${own === 1 ? '1 run' : `${own} runs`} swept; ${clean ? 'nothing is left' : 'something is left, as said above'}.`,
  );
  return clean;
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
