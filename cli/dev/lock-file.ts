/**
 * Part of `npm run documents`: removes conditions from the optional packages of package-lock.json under which npm omits them
 * without a word. `engines` is about the Node that runs npm, but the checkout runs on the Node that `npm ci` installs. With
 * Node 20.0 comes npm 9.6, which recognizes no glibc.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

interface LockFile {
  readonly packages: Readonly<Record<string, { optional?: boolean; engines?: unknown; libc?: readonly string[] }>>;
}

const file = path.join(import.meta.dirname, '../../package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
for (const each of Object.values(lock.packages).filter(({ optional }) => optional === true)) {
  delete each.engines;
  if (each.libc?.includes('glibc') === true) delete each.libc;
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
