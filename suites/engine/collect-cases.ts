/** Imports the suite files and returns their cases, without a test runner. */
import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { suiteFileOf } from '../../spec/suite-file.ts';
import { cases } from './conforms.ts';
import type { Case } from './run-case.ts';

/** `.ts` in a checkout, `.js` in the package: the extension of this file. */
const extension = path.extname(import.meta.filename);
const suitesFolder = path.join(import.meta.dirname, '..');

/** The suite file of a rule. */
const fileOf = (id: RequirementId): string => path.join(suitesFolder, suiteFileOf(id)) + extension;

/**
 * All cases, or those of the given rules and files (absolute paths), ordered by file. Throws if a requirement has two cases or a
 * file fails to load.
 */
export async function collectCases(
  ids?: readonly RequirementId[],
  files?: readonly string[],
): Promise<ReadonlyMap<RequirementId, Case>> {
  const all: string[] = [];
  for await (const file of glob(`**/*.suite${extension}`, { cwd: suitesFolder }))
    all.push(path.join(suitesFolder, file));
  const isWanted = (file: string): boolean => [ids?.map(fileOf), files].every((list) => list?.includes(file) ?? true);
  const wanted = all.filter(isWanted).sort();
  // The query makes it another module than the one that vitest loads, which would otherwise not be evaluated again.
  for (const file of wanted) await import(`${pathToFileURL(file).href}?collected`);
  // Other cases may have been loaded earlier, in another order.
  const found = [...cases].filter(([id]) => (ids?.includes(id) ?? true) && wanted.includes(fileOf(id)));
  return new Map(found.toSorted(([one], [other]) => wanted.indexOf(fileOf(one)) - wanted.indexOf(fileOf(other))));
}
