/** Reads what runs have written: a report, and what the report of a shard is made of. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { REPORT_FORM } from '../spec/verdicts.ts';
import type { Report } from '../spec/verdicts.ts';
import { MergeRefused } from './merge.ts';
import type { RunRecord } from './report.ts';
import { REPORT_FILE, SHARD_FILE } from './write-report.ts';

/** The file is no report that this version can read; the message says why. */
export class UnreadableReport extends Error {}

/** A report.json, or the folder that holds one. */
export function readReport(given: string): Report {
  const file = isFolder(given) ? path.join(given, REPORT_FILE) : given;
  const found = parsed(file) as Partial<Report> | null;
  if (found?.report !== REPORT_FORM || !Array.isArray(found.requirements))
    throw new UnreadableReport(`"${given}" is no report of form ${REPORT_FORM}.`);
  return found as Report;
}

function isFolder(given: string): boolean {
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new UnreadableReport(`"${file}" cannot be read: ${(error as Error).message}`);
  }
}

/** The folder of a shard's report. Throws MergeRefused where it is none. */
export function readShard(folder: string): RunRecord {
  try {
    const { run } = readReport(folder);
    const record = run.shard === null ? undefined : (parsed(path.join(folder, SHARD_FILE)) as RunRecord);
    if (record?.run.id === run.id) return record;
    throw new UnreadableReport(`run ${run.id} is a whole run.`);
  } catch (error) {
    if (error instanceof UnreadableReport)
      throw new MergeRefused(`"${folder}" is no report of a shard: ${error.message}`);
    throw error;
  }
}
