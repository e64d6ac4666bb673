/** Imports every suite file of this folder and gives its cases, without any test runner. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../spec/requirements/index.ts';
import { cases } from './conforms.ts';
import type { Case } from './run-case.ts';

/** In a checkout the files are .ts, in the package .js: the same ending as this file's own. */
export const suiteEnding = `.suite${path.extname(import.meta.filename)}`;
export const suitesFolder = import.meta.dirname;

/** A requirement with two cases, or a file that does not load, is an error. */
export async function collectCases(): Promise<ReadonlyMap<RequirementId, Case>> {
  const files: string[] = [];
  for await (const file of glob(`**/*${suiteEnding}`, { cwd: suitesFolder })) files.push(file);
  for (const file of files.sort()) await import(pathToFileURL(path.join(suitesFolder, file)).href);
  return cases;
}
