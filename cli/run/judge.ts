/** Runs the suites against a target, writes the report and cleans up. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeActionsOutput, writeActionsLeftovers } from '../../reports/actions.ts';
import { displayFolder, sweepCommand } from '../../reports/replay-command.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import { exitCodeOf } from '../../reports/failure-causes.ts';
import { buildReport } from '../../reports/report.ts';
import type { RunRecord } from '../../reports/report.ts';
import { writeReport } from '../../reports/write-report.ts';
import type { ExchangesKept } from '../../suites/engine/exchange-log.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { readLedger, UnreadableLedger } from '../../suites/target/read-ledger.ts';
import { cleanUp, describeDurations, describeNextStep } from './clean-up.ts';
import type { CleanUpResult } from './clean-up.ts';
import { endsWithCommand } from '../command-line/target-reference.ts';
import { INTERRUPTED } from '../command-line/interruption.ts';
import { EXCHANGES_FILE, LEDGER_FILE } from './report-folder.ts';
import { runSuites } from './run-suites.ts';
import type { Judging } from './run-suites.ts';

/** What a run writes, and where. */
export interface ReportOptions {
  readonly folder: string;
  readonly exchanges: ExchangesKept;
  readonly har: boolean;
}

/** Returns the exit code of the report, or INTERRUPTED if a change stopped the run. */
export async function judge(
  run: RunSettings,
  judging: Omit<Judging, 'folder' | 'onReport'>,
  { folder, exchanges, har }: ReportOptions,
  interrupted: AbortSignal,
): Promise<number> {
  const ledgerFile = path.join(folder, LEDGER_FILE);
  const exchangesFile = path.join(folder, EXCHANGES_FILE);
  const settings: RunSettings = {
    ...run,
    exchangesFile,
    exchangesKept: exchanges,
    ...(mayWrite(run) && { ledgerFile }),
  };
  let code: number = INTERRUPTED;
  let runRecord: RunRecord | undefined;
  const startMs = performance.now();
  let cleanUpMs = 0;
  try {
    const onReport: Judging['onReport'] = async (report, record) => {
      runRecord = record;
      await writeReport(report, record, folder, { har });
    };
    const report = await runSuites(settings, { ...judging, onReport, folder }, interrupted);
    if (report !== undefined) {
      code = exitCodeOf(report);
      writeActionsOutput(report, folder, process.env, process.stdout);
    }
  } finally {
    const cleanUpStartMs = performance.now();
    const cleaned = await cleanUp(run.target, ledgerFile, {
      interrupted,
      mayBeReset: judging.changed?.aborted === true,
    });
    cleanUpMs = performance.now() - cleanUpStartMs;
    const { left } = cleaned;
    if (endsWithCommand(judging)) rmSync(ledgerFile, { force: true });
    else printLeftovers(cleaned, sweepCommand(judging, folder));
    // Written again. The first version exists in case the cleanup is interrupted.
    if (runRecord !== undefined && left.length > 0)
      await writeReport(buildReport({ ...runRecord, left }), { ...runRecord, left }, folder, { har });
  }
  if (runRecord === undefined) {
    rmSync(exchangesFile, { force: true });
    // It has the ledger if something is left, and with --report DIR the report of an earlier run.
    if (readdirSync(folder).length === 0) rmdirSync(folder);
    return code;
  }
  const durations = describeDurations(performance.now() - startMs - cleanUpMs, cleanUpMs);
  process.stdout.write(`The report is in ${displayFolder(folder)}.${durations}\n`);
  return code;
}

/**
 * Between two runs with the same folder: undoes what the earlier one, of this process, could not undo while its server was down. If
 * something still remains, its ledger gets a folder of its own.
 */
export async function undoEarlierRun(
  target: RunSettings['target'],
  judging: Parameters<typeof sweepCommand>[0],
  folder: string,
  interrupted: AbortSignal,
): Promise<void> {
  const ledgerFile = path.join(folder, LEDGER_FILE);
  const run = runOfThisProcess(ledgerFile);
  if (run === undefined) return;
  const cleaned = await cleanUp(target, ledgerFile, { interrupted, mayBeReset: true });
  if (!existsSync(ledgerFile)) return;
  const own = path.join(folder, `left-by-${run}`);
  mkdirSync(own);
  renameSync(ledgerFile, path.join(own, LEDGER_FILE));
  printLeftovers(cleaned, sweepCommand(judging, own));
}

/** The run of a ledger. Undefined if there is none, or another process has written it. */
function runOfThisProcess(ledgerFile: string): string | undefined {
  if (!existsSync(ledgerFile)) return undefined;
  try {
    const { about } = readLedger(ledgerFile);
    return about.pid === process.pid ? about.run : undefined;
  } catch (error) {
    if (error instanceof UnreadableLedger) return undefined;
    throw error;
  }
}

const mayWrite = ({ target }: RunSettings): boolean => target.allow !== 'read';

function printLeftovers(cleaned: CleanUpResult, sweep: string): void {
  const { left } = cleaned;
  // Escaped, because names may come from the target.
  for (const line of left) process.stdout.write(outputLine(line, process.stdout));
  writeActionsLeftovers(left, process.env, process.stdout);
  if (left.length > 0) process.stdout.write(`${describeNextStep(cleaned, sweep)}\n`);
}
