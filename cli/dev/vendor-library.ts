/** Puts a library of ES modules into the package instead of its own, most of which is source maps and types. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './library-licences.ts';

/** Imported by the sources, and not installed with the package. */
export const vendoredLibraries = ['@modelcontextprotocol/server'] as const;

/** Bundles what the built files in `dist` import from a library to `dist/vendor`, and changes their imports. */
export async function vendorLibrary(dist: string, library: string, installed: readonly string[]): Promise<void> {
  const files = globSync('**/*.js', { cwd: dist }).map((file) => path.join(dist, file));
  const imported = new RegExp(`(?<=from )(['"])(${library}(?:/[^'"]+)?)\\1`, 'g');
  const users = files.filter((file) => readFileSync(file, 'utf8').search(imported) >= 0);
  const specifiers = new Set(
    users.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(imported)].map(([, , specifier = '']) => specifier),
    ),
  );
  await bundle(path.join(dist, 'vendor'), [...specifiers], installed);
  for (const file of users) {
    const folder = path.relative(path.dirname(file), path.join(dist, 'vendor'));
    const change = (_: string, quote: string, specifier: string) =>
      `${quote}${[folder, ...fileOf(specifier)].join('/')}${quote}`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(imported, change));
  }
}

/** `@scope/name/part` is bundled to `scope-name-part.js`. */
const nameOf = (specifier: string): string => specifier.replace('@', '').replaceAll('/', '-');
const fileOf = (specifier: string): readonly string[] => [`${nameOf(specifier)}.js`];

async function bundle(dir: string, specifiers: readonly string[], installed: readonly string[]): Promise<void> {
  const built = await rolldown({
    input: Object.fromEntries(specifiers.map((each) => [nameOf(each), each])),
    platform: 'node',
    external: (id) => installed.some((name) => `${id}/`.startsWith(`${name}/`)),
  });
  const { output } = await built.write({ dir, format: 'esm', comments: false, minify: true });
  await built.close();
  const modules = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
  writeFileSync(path.join(dir, 'licenses.txt'), licencesOf(modules));
}
