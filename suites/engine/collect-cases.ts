/** Imports the suite files of this folder and gives their cases, without any test runner. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import { cases } from './conforms.ts';
import type { Case } from './run-case.ts';

/** In a checkout the files are .ts, in the package .js: the same ending as this file's own. */
const suiteEnding = `.suite${path.extname(import.meta.filename)}`;
const suitesFolder = path.join(import.meta.dirname, '..');

/** All, or those of some rules, in the order of their files. A requirement with two cases, or a file that does not load, is an error. */
export async function collectCases(ids?: readonly RequirementId[]): Promise<ReadonlyMap<RequirementId, Case>> {
  const wanted = ids === undefined ? undefined : new Set(ids.map((id) => suiteFileOf(id) + path.extname(suiteEnding)));
  const files: string[] = [];
  for await (const file of glob(`**/*${suiteEnding}`, { cwd: suitesFolder })) files.push(file);
  const isWanted = (file: string): boolean => wanted?.has(file.split(path.sep).join('/')) ?? true;
  for (const file of files.filter(isWanted).sort()) await import(pathToFileURL(path.join(suitesFolder, file)).href);
  // Others may have been loaded before.
  return ids === undefined ? cases : new Map([...cases].filter(([id]) => ids.includes(id)));
}
