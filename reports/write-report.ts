/** Writes the files of a report into its folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../spec/verdicts.ts';

/** Each form of a report: the file and how it is made. */
const forms: readonly (readonly [file: string, make: (report: Report) => string])[] = [
  ['report.json', (report) => `${JSON.stringify(report, null, 2)}\n`],
  [
    'observations.json',
    ({ target, observations }) => `${JSON.stringify({ target: target.name, observations }, null, 2)}\n`,
  ],
];

export async function writeReport(report: Report, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, make] of forms) await writeFile(path.join(folder, file), make(report));
}
