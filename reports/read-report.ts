/** Reads what runs have written: a report, and what the report of a shard is made of. */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { REPORT_FORM } from '../spec/verdicts.ts';
import type { Report } from '../spec/verdicts.ts';
import { MergeError } from './merge.ts';
import { escapeControls } from './printable.ts';
import { reportSchema, shardSchema } from '../spec/formats/report.ts';
import type { RunRecord } from './report.ts';
import { REPORT_FILE, SHARD_FILE } from './write-report.ts';

/** The file is no report that this version can read; the message names the file, the field, its value and what is allowed. */
export class UnreadableReport extends Error {}

/** A report.json, or the folder that holds one. */
export function readReport(given: string): Report {
  const file = isFolder(given) ? path.join(given, REPORT_FILE) : given;
  const found = parsed(file);
  requireForm(file, found);
  requireFit(file, found, reportSchema);
  return found as Report;
}

function isFolder(given: string): boolean {
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parsed(file: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const message = escapeControls((error as Error).message);
    throw new UnreadableReport(`"${file}" is no JSON, or was cut short: ${message}.`);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UnreadableReport(
      `"${file}" cannot be read: ${(error as Error).message}. Wanted: a report or its folder.`,
    );
  }
}

/** Before all else: of another form nothing else need fit. */
function requireForm(file: string, found: unknown): void {
  const form = (found as Partial<Report> | null)?.report;
  if (form === REPORT_FORM) return;
  throw new UnreadableReport(
    `"${file}": report is ${shown(form)}. Allowed: ${REPORT_FORM}, the form that this assay reads.`,
  );
}

function requireFit(file: string, found: unknown, schema: z.ZodType): void {
  const issue = schema.safeParse(found, { reportInput: true }).error?.issues[0];
  if (issue === undefined) return;
  const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], found);
  throw new UnreadableReport(`"${file}": ${placeOf(issue.path)} is ${shown(value)}. Allowed: ${allowedBy(issue)}.`);
}

const placeOf = (keys: readonly PropertyKey[]): string =>
  keys
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${escapeControls(String(key))}`))
    .join('')
    .replace(/^\./, '') || 'the whole';

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = escapeControls(JSON.stringify(value));
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}

function allowedBy(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return issue.values.map((each) => JSON.stringify(each)).join(', ');
  if (issue.code === 'invalid_type') return `a value of type ${issue.expected}`;
  if (issue.code === 'too_small') return `${issue.minimum} or more`;
  return issue.message;
}

/** The folder of a shard's report. Throws MergeRefused where it is none. */
export function readShard(folder: string): RunRecord {
  try {
    const { run } = readReport(folder);
    if (run.shard === null) throw new UnreadableReport(`run ${run.id} is a whole run.`);
    const file = path.join(folder, SHARD_FILE);
    const found = parsed(file);
    requireFit(file, found, shardSchema);
    const record = found as RunRecord;
    if (record.run.id === run.id) return record;
    throw new UnreadableReport(
      `"${file}": run.id is ${shown(record.run.id)}. Allowed: ${shown(run.id)}, as in ${REPORT_FILE}.`,
    );
  } catch (error) {
    if (error instanceof UnreadableReport)
      throw new MergeError(`"${folder}" is no report of a shard: ${error.message}`);
    throw error;
  }
}
