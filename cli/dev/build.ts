/** `npm run build`: writes JavaScript, the public types, the pages and the generated documents to dist/. Does not check types. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundlePage as bundleMockPage, pageNames } from '../../mock/server/console/bundle-page.ts';
import { bundlePage as bundleReportPage } from '../../reports/html/bundle-page.ts';
import { bundleLibraries, bundlingSources } from './bundle-libraries.ts';
import { bundleStart } from './bundle-start.ts';
import { licencesOf, pageLibraries } from './library-licences.ts';
import { removePrivateTypes } from './public-types.ts';
import { requireInstalled } from './require-installed.ts';
import { vendorLibraries } from './vendor-libraries.ts';

const root = path.join(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
/** The colors of a comparison, which is not bundled as the pages are. */
const diffStyle = 'reports/html/page/tokens.css';
const { dependencies, exports, peerDependenciesMeta } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
) as {
  dependencies: object;
  peerDependenciesMeta: object;
  exports: Record<string, string | { types: string } | null>;
};

rmSync(dist, { recursive: true, force: true });
execFileSync('tsc', ['-p', path.join(import.meta.dirname, 'tsconfig.build.json')], { stdio: 'inherit' });
removePrivateTypes(
  dist,
  Object.values(exports).flatMap((each) =>
    each !== null && typeof each === 'object' ? [path.join(root, each.types)] : [],
  ),
);
// What is read at run time and is no TypeScript.
for (const folder of ['spec/generated', 'spec/formats/generated', 'fixtures/worlds']) {
  const isData = (source: string) => !source.endsWith('.ts');
  cpSync(path.join(root, folder), path.join(dist, folder), { recursive: true, filter: isData });
}
cpSync(path.join(root, diffStyle), path.join(dist, diffStyle));
for (const page of pageNames) writePage('mock/server/console', page, await bundleMockPage(page));
writePage('reports/html', 'report', await bundleReportPage());
const installed = Object.keys(dependencies);
for (const source of bundlingSources) await bundleLibraries(path.join(dist, source.replace(/\.ts$/, '.js')), installed);
await vendorLibraries(dist, installed);
await bundleStart(dist);
requireInstalled(dist, [...installed, ...Object.keys(peerDependenciesMeta)]);

/** As JSON in the folder `built`, next to the licences of the libraries that pages contain. */
function writePage(folder: string, name: string, bundle: object): void {
  const built = path.join(dist, folder, 'built');
  mkdirSync(built, { recursive: true });
  writeFileSync(path.join(built, `${name}.json`), JSON.stringify(bundle));
  const libraries = pageLibraries.map((library) => path.join(root, 'node_modules', library, 'package.json'));
  writeFileSync(path.join(built, 'licenses.txt'), licencesOf(libraries));
}
