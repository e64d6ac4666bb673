/** Finds the reports of earlier runs. */
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { readReportIf, UnreadableReport } from '../../reports/read-report.ts';
import { REPORT_FILE } from '../../reports/write-report.ts';
import type { Report } from '../../spec/verdicts.ts';
import { REPORTS_FOLDER } from './reports-folder.ts';
import { UsageError } from './usage-error.ts';

export interface FoundReport {
  readonly folder: string;
  readonly report: Report;
}

/** What a report says, before it is known to be valid. */
type Content = Partial<Report> | null;

/**
 * The whole runs whose reports are in reports/out, or in the folder `also`: the latest first. Omits reports that cannot be read,
 * those about traffic of others, and runs that were interrupted before the first verdict. Only those that are wanted are checked,
 * because that takes much longer than to read them.
 */
export function* recentReports(
  also?: string,
  isWanted: (content: Content) => boolean = () => true,
): Generator<FoundReport> {
  const files = globSync(path.join(REPORTS_FOLDER, '*', REPORT_FILE));
  const own = also === undefined ? [] : [path.join(also, REPORT_FILE)];
  const latestFirst = [...new Set([...files, ...own].map((file) => path.resolve(file)))]
    .map((file) => ({ file, writtenMs: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((one, other) => other.writtenMs - one.writtenMs);
  for (const { file } of latestFirst) {
    const report = readIfValid(file, isWanted);
    if (report !== undefined && report.run.judged === undefined && report.run.shard === null && hasVerdict(report))
      yield { folder: path.dirname(file), report };
  }
}

const hasVerdict = ({ run, requirements }: Report): boolean =>
  run.complete || requirements.some(({ verdict }) => verdict !== 'not-tried' && verdict !== 'error');

function readIfValid(file: string, isWanted: (content: Content) => boolean): Report | undefined {
  try {
    return readReportIf(file, isWanted);
  } catch (error) {
    if (error instanceof UnreadableReport) return undefined;
    throw error;
  }
}

/** What identifies the target of a run. */
type RunTarget = Pick<Report['target'], 'name' | 'addresses'> & Pick<Report['run'], 'mock'>;

/** The latest report of a target. Undefined if there is none. */
export const latestReportOf = (target: RunTarget, also?: string): FoundReport | undefined =>
  recentReports(also, (content) => isSameTarget(content, target)).next().value ?? undefined;

/** A mock that ends with its command has another port in each run. */
function isSameTarget(content: Content, { name, addresses, mock }: RunTarget): boolean {
  const isMock = content?.run?.mock !== undefined && mock !== undefined;
  const { target } = content ?? {};
  return target?.name === name && (isMock || target.addresses?.management === addresses.management);
}

/** The last two runs of the target that was tested last, the earlier one first. Throws UsageError if there are fewer. */
export function lastTwoRuns(): [Report, Report] {
  const [last] = recentReports().take(1);
  if (last === undefined) throw new UsageError(`No report in ${REPORTS_FOLDER}. ${HINT}`);
  const { target, run } = last.report;
  const [, before] = recentReports(undefined, (content) => isSameTarget(content, { ...target, ...run })).take(2);
  if (before !== undefined) return [before.report, last.report];
  throw new UsageError(`${REPORTS_FOLDER} has only one report of ${target.name}, run ${run.id}. ${HINT}`);
}

const HINT = 'Run assay test first, in this folder, or pass the folders of two reports.';
