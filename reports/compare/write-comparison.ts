/** Writes the files of a comparison into its folder. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import { jsonText } from '../../spec/json-text.ts';
import { fidelitySvg } from './fidelity-svg.ts';
import { comparisonHtml } from './html.ts';
import { comparisonJunit } from './junit.ts';

export const COMPARISON_FILE = 'compare.json';

type Format = readonly [file: string, make: (report: ComparisonReport) => string];

const formats: readonly Format[] = [
  [COMPARISON_FILE, (report) => `${jsonText(report, 2)}\n`],
  ['compare.html', comparisonHtml],
  ['junit.xml', comparisonJunit],
];

/** Of a comparison with a mock. */
const mockFormats: readonly Format[] = [['fidelity.svg', fidelitySvg]];

/** `scores`: the fidelity of a mock is of interest. */
export async function writeComparison(report: ComparisonReport, folder: string, scores: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [file, make] of [...formats, ...(scores ? mockFormats : [])])
    await writeFile(path.join(folder, file), make(report));
}
