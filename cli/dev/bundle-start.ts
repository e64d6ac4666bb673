/** Bundles the modules that every start loads into a few files, because finding hundreds of files takes most of the time to start. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown, type OutputAsset, type OutputChunk } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { licencesOf } from './library-licences.ts';

/** The files that are bundled together with everything that they import, except dynamically. */
const starts = {
  mock: ['mock/start-mock.js'],
  command: ['cli/main.js', 'cli/command-line/run-command.js', 'cli/commands/mock.js'],
} as const;

/** Libraries that are bundled too, with what they import. They are not installed with the package. */
export const bundledLibraries = ['@koa/router', 'koa', 'koa-compose'] as const;

/**
 * Every bundled module stays importable at its own path, where a file exports what the bundle contains: there is one instance
 * of each, however it is imported.
 */
export async function bundleStart(dist: string): Promise<void> {
  const mock = closureOf(dist, starts.mock);
  const command = closureOf(dist, starts.command).difference(mock);
  const inBundle = mock.union(command);
  const isLibrary = (id: string) => bundledLibraries.some((name) => `${id}/`.startsWith(`${name}/`));
  const bundle = await rolldown({
    input: Object.fromEntries([...inBundle].map((file) => [file.replace(/\.js$/, ''), path.join(dist, file)])),
    platform: 'node',
    external: (id, importer) => {
      if (importer === undefined || importer.includes('/node_modules/')) return undefined;
      if (id.startsWith('.')) return !inBundle.has(path.relative(dist, path.resolve(path.dirname(importer), id)));
      return path.isAbsolute(id) ? false : !isLibrary(id);
    },
    // Its CommonJS, like its source: in an ES module, node:http loads all of undici.
    resolve: { alias: { '@koa/router': createRequire(import.meta.url).resolve('@koa/router') } },
    plugins: [
      { name: 'required-libraries', transform: withImports },
      { name: 'unused-parts', transform: withoutUnused },
      { name: 'builtin-modules', renderChunk: withBuiltinModules },
      { name: 'own-address', transform: (code, id) => withOwnAddress(code, path.relative(dist, id)) },
      { name: 'latin-1', generateBundle: (_, files) => Object.values(files).forEach(escapeWideCharacters) },
    ],
    onLog(level, log, write) {
      if (log.code !== 'EVAL') write(level, log);
    },
  });
  const isMock = (id: string) => mock.has(path.relative(dist, id));
  const { output } = await bundle.write({
    dir: dist,
    format: 'esm',
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'start/[name].js',
    codeSplitting: { groups: [{ name: 'mock', test: isMock }, { name: 'command' }] },
  });
  await bundle.close();
  requireAllReduced();
  requireNoPackages(output);
  const modules = output.flatMap((each) => (each.type === 'chunk' ? each.moduleIds : []));
  writeFileSync(path.join(dist, 'start/licenses.txt'), licencesOf(modules));
}

/** A package that is not bundled can take as long to load as all of the bundle: zod has a hundred files. */
function requireNoPackages(output: readonly (OutputChunk | OutputAsset)[]): void {
  const own = new Set(output.map(({ fileName }) => fileName));
  const imports = output.flatMap((each) => (each.type === 'chunk' ? each.imports : []));
  const found = imports.find((id) => !id.startsWith('node:') && !own.has(id) && !/^\.{1,2}\//.test(id));
  if (found !== undefined)
    throw new Error(`Every start would load ${found}. Import it where it is needed, dynamically.`);
}

/** The files and what they import statically, as paths below `dist`. */
function closureOf(dist: string, files: readonly string[]): Set<string> {
  const found = new Set<string>(files);
  for (const file of found)
    for (const specifier of staticImports(readFileSync(path.join(dist, file), 'utf8')))
      if (specifier.startsWith('.')) found.add(path.join(path.dirname(file), specifier));
  return found;
}

function staticImports(code: string): string[] {
  return parseAst(code).body.flatMap((node) => ('source' in node && node.source !== null ? [node.source.value] : []));
}

/** A library that is loaded with `require`, as an import. */
function withImports(code: string): string {
  return code.replaceAll(/^const (\w+) = createRequire\(import\.meta\.url\)\(('[^']+')\)/gm, 'import $1 from $2');
}

/** A single character that is not of Latin-1 doubles the memory that the source takes, and slows down its compilation. */
function escapeWideCharacters(file: OutputAsset | OutputChunk): void {
  if (file.type !== 'chunk') return;
  file.code = file.code.replaceAll(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Parts of libraries that the mock does not use, but whose loading would take a tenth of the start: of koa, which does not write
 * its responses, media types that are never set, streams of files, and assertions; debug output; commands that are programs.
 */
const reduced: Readonly<Record<string, (code: string) => string>> = {
  '/mime-db/db.json': (code) => JSON.stringify(pick(JSON.parse(code) as object, koaTypes)),
  '/destroy/index.js': () => 'module.exports = (stream) => stream.destroy();',
  '/http-assert/index.js': () => "module.exports = () => { throw new Error('ctx.assert is not in the package.'); };",
  '/http-errors/index.js': (code) => replacePart(code, /^populateConstructorExports\(.*\n/m, ''),
  '/koa/lib/response.js': (code) =>
    replacePart(code, "require('node:assert')", '(is, message) => { if (!is) throw new Error(message); }'),
  '/debug/src/index.js': () => 'module.exports = () => () => {};',
  '/vendor/commander.js': (code) => replacePart(code, /import (\w+) from ?"node:child_process";/, 'const $1 = {};'),
};
const koaTypes = ['application/json', 'application/octet-stream', 'text/html', 'text/plain'];

/** Throws if the code does not contain it. */
function replacePart(code: string, part: string | RegExp, by: string): string {
  const changed = code.replace(part, by);
  if (changed === code) throw new Error(`A library has no ${String(part)} any more.`);
  return changed;
}

function withoutUnused(code: string, id: string): string | null {
  const ending = Object.keys(reduced).find((each) => id.endsWith(each));
  if (ending === undefined) return null;
  reducedFiles.add(ending);
  return reduced[ending]?.(code) ?? null;
}

/** The keys of `reduced` that were applied. */
const reducedFiles = new Set<string>();

function requireAllReduced(): void {
  const missing = Object.keys(reduced).find((ending) => !reducedFiles.has(ending));
  if (missing !== undefined) throw new Error(`No library has a file ${missing} any more.`);
}

function pick(all: object, keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
}

/**
 * Importing a built-in module evaluates everything that it exports, such as the web APIs of node:crypto. A Node without
 * getBuiltinModule gets to the check of its version, later in the file.
 */
function withBuiltinModules(code: string): string {
  const imported = /^import (?:(?:\* as )?([\w$]+))?(?:, )?(\{[^}]+\})? from ("node:[^"]+");$/gm;
  return code.replaceAll(imported, (_, whole: string | undefined, names: string | undefined, module: string) => {
    if (names?.includes('default as')) throw new Error(`The default of ${module} cannot be imported by that name.`);
    const targets = [whole, names?.replaceAll(' as ', ': ')].filter((target) => target !== undefined);
    return targets.map((target) => `const ${target} = process.getBuiltinModule?.(${module}) ?? {};`).join('\n');
  });
}

/** In a bundle, `import.meta` would be that of the bundle. */
function withOwnAddress(code: string, file: string): string {
  if (file.startsWith('..')) return code;
  const url = `new URL(${JSON.stringify(`../${file}`)}, import.meta.url)`;
  const own = { url: `${url}.href`, filename: `fileURLToPath(${url})`, dirname: `fileURLToPath(new URL('.', ${url}))` };
  const changed = code.replaceAll(/import\.meta\.(url|filename|dirname)/g, (_, name: keyof typeof own) => own[name]);
  return changed.includes('fileURLToPath(') ? `import { fileURLToPath } from 'node:url';\n${changed}` : changed;
}
