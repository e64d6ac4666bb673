/** `npm run build`: JavaScript and .d.ts in dist/, with the generated documents beside them. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', path.join(import.meta.dirname, 'tsconfig.build.json')], { stdio: 'inherit' });
// What is read at run time and is no TypeScript.
for (const folder of ['spec/generated', 'fixtures/worlds']) {
  const isData = (source: string) => !source.endsWith('.ts');
  cpSync(path.join(root, folder), path.join(dist, folder), { recursive: true, filter: isData });
}
