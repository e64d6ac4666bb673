/** Facts from package.json, and the folder of the code: in a checkout the root folder, in the package the folder dist. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const above = path.join(import.meta.dirname, '../..');

/** The folder with package.json. */
export const packageFolder = existsSync(path.join(above, 'package.json')) ? above : path.join(above, '..');
/** The folder of spec, mock, suites, reports and cli. */
export const sourceFolder = above;

export const { version: assayVersion, homepage } = JSON.parse(
  readFileSync(path.join(packageFolder, 'package.json'), 'utf8'),
) as {
  version: string;
  homepage: string;
};
