/** The licences of bundled libraries as one text, which the package contains next to the bundle. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The libraries in the bundles of pages. */
export const pageLibraries = ['preact', 'uplot'] as const;

/** `modules`: paths of the bundled files. Those that are not below `node_modules` are ignored. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  return [...folders]
    .sort()
    .map(licenceOf)
    .join(`\n${'-'.repeat(80)}\n`);
}

/** The package's name, version and licence, with the full text if the package contains it. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const whole = texts.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  return [`${String(name)} ${String(version)}: ${String(license)}`, ...whole].join('\n\n');
}
