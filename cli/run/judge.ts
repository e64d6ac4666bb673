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
import { cleanUp, describeDurations, describeNextStep } from './clean-up.ts';
import type { CleanUpResult } from './clean-up.ts';
import { endsWithCommand } from '../command-line/target-reference.ts';
import { INTERRUPTED } from '../command-line/interruption.ts';
import { EXCHANGES_FILE, LEDGER_FILE, LEFT_BY } from './report-folder.ts';
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
    const cleaned = await cleanUp(run.target, ledgerFile, { interrupted });
    cleanUpMs = performance.now() - cleanUpStartMs;
    const { left } = cleaned;
    if (endsWithCommand(judging)) rmSync(ledgerFile, { force: true });
    else {
      const isWatching = judging.changed !== undefined;
      const ledgerFolder = isWatching ? setAside(ledgerFile, run.runId) : folder;
      printLeftovers(cleaned, sweepCommand(judging, ledgerFolder), isWatching && !interrupted.aborted);
    }
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

const mayWrite = ({ target }: RunSettings): boolean => target.allow !== 'read';

/** The next run of --watch may have the same folder, so the ledger gets one of its own. Returns the folder in which it is. */
function setAside(ledgerFile: string, runId: string): string {
  const folder = path.dirname(ledgerFile);
  if (path.basename(folder) === runId || !existsSync(ledgerFile)) return folder;
  const own = path.join(folder, LEFT_BY + runId);
  mkdirSync(own);
  renameSync(ledgerFile, path.join(own, LEDGER_FILE));
  return own;
}

function printLeftovers(cleaned: CleanUpResult, sweep: string, isWatching: boolean): void {
  const { left } = cleaned;
  // Escaped, because names may come from the target.
  for (const line of left) process.stdout.write(outputLine(line, process.stdout));
  writeActionsLeftovers(left, process.env, process.stdout);
  if (left.length > 0) process.stdout.write(`${describeNextStep(cleaned, sweep, isWatching)}\n`);
}
