/** Imports the suite files and returns their cases, without a test runner. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import { cases } from './conforms.ts';
import type { Case } from './run-case.ts';

/** `.ts` in a checkout, `.js` in the package: the extension of this file. */
const suiteEnding = `.suite${path.extname(import.meta.filename)}`;
const suitesFolder = path.join(import.meta.dirname, '..');

/** All cases, or those of the given rules, ordered by file. Throws if a requirement has two cases or a file fails to load. */
export async function collectCases(ids?: readonly RequirementId[]): Promise<ReadonlyMap<RequirementId, Case>> {
  const expected =
    ids === undefined ? undefined : new Set(ids.map((id) => suiteFileOf(id) + path.extname(suiteEnding)));
  const files: string[] = [];
  for await (const file of glob(`**/*${suiteEnding}`, { cwd: suitesFolder })) files.push(file);
  const isWanted = (file: string): boolean => expected?.has(file.split(path.sep).join('/')) ?? true;
  for (const file of files.filter(isWanted).sort()) await import(pathToFileURL(path.join(suitesFolder, file)).href);
  // Other cases may have been loaded earlier.
  return ids === undefined ? cases : new Map([...cases].filter(([id]) => ids.includes(id)));
}
