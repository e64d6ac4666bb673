/** `npm run build`: writes JavaScript, .d.ts files and the generated documents to dist/. Does not check types. */
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { bundleLibraries, bundlingSources } from './bundle-libraries.ts';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', path.join(import.meta.dirname, 'tsconfig.build.json')], { stdio: 'inherit' });
// What is read at run time and is no TypeScript.
for (const folder of ['spec/generated', 'spec/formats/generated', 'fixtures/worlds']) {
  const isData = (source: string) => !source.endsWith('.ts');
  cpSync(path.join(root, folder), path.join(dist, folder), { recursive: true, filter: isData });
}
// The pages are bundled at run time, so their sources are copied. Their imports from outside resolve to JavaScript.
for (const folder of ['reports/html/page', 'mock/server/console/page']) {
  const isSource = (source: string) => !/\.test\.ts$|tsconfig\.json$/.test(source);
  cpSync(path.join(root, folder), path.join(dist, folder), { recursive: true, filter: isSource });
}
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { dependencies: object };
for (const source of bundlingSources)
  await bundleLibraries(path.join(dist, source.replace(/\.ts$/, '.js')), Object.keys(dependencies));
