/** Puts libraries into the package instead of installing them, because most of what they install is never loaded. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { licencesOf } from './library-licences.ts';

/** Imported by the sources, not installed with the package. CommonJS for those that are loaded with `require`. */
export const vendoredLibraries = {
  '@modelcontextprotocol/server': 'esm',
  ajv: 'cjs',
  'ajv-formats': 'cjs',
  commander: 'esm',
  'fast-check': 'cjs',
  re2js: 'cjs',
  undici: 'cjs',
  yaml: 'cjs',
  yauzl: 'cjs',
} as const;

/** Bundles what the built files in `dist` use of these libraries to `dist/vendor`, and changes their imports. */
export async function vendorLibraries(dist: string, installed: readonly string[]): Promise<void> {
  const files = globSync('**/*.js', { cwd: dist }).map((file) => path.join(dist, file));
  const modules: string[] = [];
  for (const [library, format] of Object.entries(vendoredLibraries)) {
    // No other text of a file has this form, such as the code that ajv generates.
    const imported = new RegExp(
      `(?<=^(?:import|const|export|\\s+const) (.+) (?:from |= await import\\(|= require\\())(['"])(${library}(?:/[^'"]+)?)\\2`,
      'gm',
    );
    const names = new Map<string, Set<string>>();
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      const changed = text.replace(imported, (_, clause: string, quote: string, specifier: string) => {
        names.set(specifier, (names.get(specifier) ?? new Set()).union(namesIn(clause)));
        const folder = path.relative(path.dirname(file), path.join(dist, 'vendor'));
        return `${quote}${folder}/${fileOf(specifier, format)}${quote}`;
      });
      if (changed !== text) writeFileSync(file, changed);
    }
    modules.push(...(await bundle(path.join(dist, 'vendor'), format, names, installed)));
  }
  writeFileSync(path.join(dist, 'vendor/licenses.txt'), licencesOf(modules));
}

/** Of `{ a, b as c }` a and b; of `* as all` the name `*`. */
function namesIn(clause: string): ReadonlySet<string> {
  if (clause.startsWith('* as ')) return new Set('*');
  const names = /^\{(.+)\}$/.exec(clause)?.[1];
  if (names === undefined) throw new Error(`A vendored library cannot be imported as "${clause}".`);
  return new Set(names.split(',').flatMap((each) => /\w+/.exec(each)?.[0] ?? []));
}

/** `@scope/name/part.js` becomes `scope-name-part.cjs`. */
const nameOf = (specifier: string): string => specifier.replace('@', '').replace(/\.js$/, '').replaceAll('/', '-');
const fileOf = (specifier: string, format: 'esm' | 'cjs'): string =>
  `${nameOf(specifier)}.${format === 'cjs' ? 'cjs' : 'js'}`;

/** Returns the paths of the bundled modules. */
async function bundle(
  dir: string,
  format: 'esm' | 'cjs',
  names: ReadonlyMap<string, ReadonlySet<string>>,
  installed: readonly string[],
): Promise<string[]> {
  const entries = new Map([...names].map(([specifier, used]) => [nameOf(specifier), entryFor(specifier, used)]));
  const built = await rolldown({
    input: Object.fromEntries([...entries.keys()].map((name) => [name, `entry:${name}`])),
    platform: 'node',
    external: (id) => installed.some((name) => `${id}/`.startsWith(`${name}/`)),
    plugins: [
      {
        name: 'entries',
        resolveId: (id) => (id.startsWith('entry:') ? id : null),
        load: (id) => entries.get(id.replace('entry:', '')) ?? null,
      },
    ],
  });
  // Without compression, because Node finds the names of CommonJS exports only in their usual spelling.
  const minify = { compress: format === 'esm', mangle: true, codegen: true };
  const entryFileNames = `[name].${format === 'cjs' ? 'cjs' : 'js'}`;
  const { output } = await built.write({ dir, format, comments: false, minify, entryFileNames });
  await built.close();
  return output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
}

function entryFor(specifier: string, names: ReadonlySet<string>): string {
  const clause = names.has('*') ? '*' : `{ ${[...names].join(', ')} }`;
  return `export ${clause} from ${JSON.stringify(specifier)};`;
}
