/** Reads a report, or the run record of a shard. */
import { describeFileError } from '../spec/describe-file-error.ts';
import { statSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { parseJson } from '../spec/files/parse-json.ts';
import { readTextFile } from '../spec/files/read-text.ts';
import { TooComplex } from '../spec/files/too-complex.ts';
import { InvalidInput } from '../spec/formats/invalid-input.ts';
import { quote, readFormat } from '../spec/formats/read-format.ts';
import { reportSchema } from '../spec/formats/report.ts';
import { REPORT_FORM } from '../spec/verdicts.ts';
import type { Report } from '../spec/verdicts.ts';
import { MergeError } from './merge.ts';
import { escapeControls } from './printable.ts';
import { shardSchema } from './shard-schema.ts';
import type { RunRecord } from './report.ts';
import { REPORT_FILE, SHARD_FILE } from './write-report.ts';

/** The file is not a report that this version can read. The message names the file and the first invalid field. */
export class UnreadableReport extends Error {
  /** Escapes the text, because names of files and fields may contain anything. */
  constructor(text: string) {
    super(escapeControls(text));
  }
}

/** Also of the run record of a shard. */
const MAX_REPORT_BYTES = 32 * 1024 * 1024;

/** `given` is a report.json or the folder that contains one. */
export const readReport = (given: string): Report => readReportIf(given, () => true)!;

/** Undefined if `isWanted` is false for the content, which is not checked yet. */
export function readReportIf(
  given: string,
  isWanted: (content: Partial<Report> | null) => boolean,
): Report | undefined {
  const file = isFolder(given) ? path.join(given, REPORT_FILE) : given;
  const content = parseFile(file);
  if (!isWanted(content as Partial<Report> | null)) return undefined;
  requireVersion(file, content);
  requireFormat(file, content, reportSchema);
  return content as Report;
}

function isFolder(given: string): boolean {
  return statSync(given, { throwIfNoEntry: false })?.isDirectory() === true;
}

function parseFile(file: string): unknown {
  const text = readText(file);
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TooComplex) throw new UnreadableReport(`"${file}": ${error.message}`);
    throw new UnreadableReport(`"${file}" is not valid JSON, or is truncated: ${(error as Error).message}.`);
  }
}

function readText(file: string): string {
  try {
    return readTextFile(file, MAX_REPORT_BYTES, { mayBePipe: true });
  } catch (error) {
    throw new UnreadableReport(`"${file}" ${describeFileError(error)}. Expected a report or its folder.`);
  }
}

/** Checked first: a report of another version may differ in everything else. */
function requireVersion(file: string, content: unknown): void {
  const version = (content as Partial<Report> | null)?.report;
  if (version === REPORT_FORM) return;
  const found = version === undefined ? 'missing' : quote(version);
  throw new UnreadableReport(
    `"${file}": report is ${found}: expected ${REPORT_FORM}, the version that this assay reads.`,
  );
}

function requireFormat(file: string, content: unknown, schema: z.ZodType): void {
  try {
    readFormat(schema, content);
  } catch (error) {
    if (error instanceof InvalidInput) throw new UnreadableReport(`"${file}": ${error.message}`);
    throw error;
  }
}

/** Reads the run record of a shard from its report folder. Throws MergeError if the folder is not a shard's. */
export function readShard(folder: string): RunRecord {
  try {
    const { run } = readReport(folder);
    if (run.shard === null) throw new UnreadableReport(`run ${run.id} is a whole run.`);
    const file = path.join(folder, SHARD_FILE);
    const content = parseFile(file);
    requireFormat(file, content, shardSchema);
    const record = content as RunRecord;
    if (record.run.id === run.id) return record;
    throw new UnreadableReport(
      `"${file}": run.id is ${quote(record.run.id)}: expected ${quote(run.id)}, as in ${REPORT_FILE}.`,
    );
  } catch (error) {
    if (error instanceof UnreadableReport)
      throw new MergeError(escapeControls(`"${folder}" is not the report of a shard: ${error.message}`));
    throw error;
  }
}
