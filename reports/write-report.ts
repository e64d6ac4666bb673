/** Writes the files of a report into its folder, which already contains the run's exchanges. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { jsonText } from '../spec/json-text.ts';
import type { Report } from '../spec/verdicts.ts';
import { writePage } from './html/write-page.ts';
import type { RunRecord } from './report.ts';
import { toBadge } from './badge.ts';
import { toJunit } from './junit.ts';
import { toSummary } from './summary.ts';
import { writeHar } from './har.ts';

export const REPORT_FILE = 'report.json';

/** Report formats without exchanges: the file and the function that renders it. */
const formats: readonly (readonly [file: string, make: (report: Report, folder: string) => string])[] = [
  [REPORT_FILE, (report) => `${jsonText(report, 2)}\n`],
  ['observations.json', ({ target, observations }) => `${jsonText({ target: target.name, observations }, 2)}\n`],
  ['junit.xml', toJunit],
  ['summary.md', toSummary],
  ['badge.json', toBadge],
];

/** The run record of a shard, which `assay merge` reads. */
export const SHARD_FILE = 'shard.json';

/** Reads the exchanges from the folder. `har`: also writes them as a HAR file. */
export async function writeReport(
  report: Report,
  record: RunRecord,
  folder: string,
  { har = false }: { readonly har?: boolean } = {},
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, make] of formats) await writeFile(path.join(folder, file), make(report, folder));
  await writePage(report, folder);
  if (har) await writeHar(report, folder);
  if (report.run.shard !== null) await writeFile(path.join(folder, SHARD_FILE), jsonText(record));
}
