/** Finds the page of a report: the latest one, or that of a folder. */
import { globSync, statSync } from 'node:fs';
import path from 'node:path';
import { displayFolder } from '../../reports/replay-command.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import { UsageError } from '../command-line/usage-error.ts';

const PAGE = 'report.html';

/** `given`: a report folder or a file in it; undefined: the latest report of reports/out. Returns the absolute path. Throws UsageError. */
export function findReportPage(given: string | undefined): string {
  return path.resolve(given === undefined ? latestPage() : pageOf(given));
}

function latestPage(): string {
  const [latest] = globSync(path.join(REPORTS_FOLDER, '*', PAGE)).toSorted((a, b) => timeOf(b) - timeOf(a));
  if (latest !== undefined) return latest;
  throw new UsageError(
    `No report in ${REPORTS_FOLDER}. Run assay test first, in this folder; for a run with --report DIR, pass the same DIR.`,
  );
}

/** When the page was written, in milliseconds; 0 if it was removed meanwhile. */
const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function pageOf(given: string): string {
  const found = statSync(given, { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`"${given}" does not exist. Expected a report folder of assay test.`);
  const folder = found.isDirectory() ? given : path.dirname(given);
  const page = path.join(folder, PAGE);
  if (statSync(page, { throwIfNoEntry: false })?.isFile() === true) return page;
  throw new UsageError(
    `${displayFolder(path.resolve(folder))} has no ${PAGE}. Expected the report folder of a run that has ended.`,
  );
}
