/** Writes the files of a comparison into its folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import { jsonText } from '../../spec/json-text.ts';
import { comparisonHtml } from './html.ts';
import { comparisonJunit } from './junit.ts';

export const COMPARISON_FILE = 'compare.json';

const formats: readonly (readonly [file: string, make: (report: ComparisonReport) => string])[] = [
  [COMPARISON_FILE, (report) => `${jsonText(report, 2)}\n`],
  ['compare.html', comparisonHtml],
  ['junit.xml', comparisonJunit],
];

export async function writeComparison(report: ComparisonReport, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, make] of formats) await writeFile(path.join(folder, file), make(report));
}
