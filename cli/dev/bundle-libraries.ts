/** Bundles libraries into the built files that use them, because installing them would run a script that reports the installation. */
import { writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { licencesOf } from './library-licences.ts';

/** Only these may import a package that is not installed with ours. */
export const bundlingSources = ['cli/lint/spectral.ts', 'spec/prism/prism.ts'] as const;

/** Bundles a built file with its libraries, and writes their licences next to it. */
export async function bundleLibraries(file: string, installed: readonly string[]): Promise<void> {
  const isOurs = (id: string): boolean =>
    id.startsWith('.') || installed.some((name) => `${id}/`.startsWith(`${name}/`));
  const bundle = await rolldown({
    input: file,
    platform: 'node',
    external: (id, importer) => importer === file && isOurs(id),
    // Its other entry looks for its parts by a `require` that is a parameter.
    resolve: { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } },
    plugins: [
      { name: 'this-is-exports', transform: (code, id) => (/uri-template-lite/.test(id) ? thisIsExports(code) : null) },
    ],
    onLog(level, log, write) {
      if (log.code !== 'EVAL') write(level, log);
    },
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false, comments: false, minify: true });
  await bundle.close();
  const [chunk] = output;
  writeFileSync(file, chunk.code);
  writeFileSync(file.replace(/\.js$/, '.licenses.txt'), licencesOf(chunk.moduleIds));
}

/** Defined in CommonJS only; a bundler treats it as undefined. */
function thisIsExports(code: string): string {
  if (!code.includes('this.URI')) throw new Error('uri-template-lite does not write to `this.URI` any more.');
  return code.replaceAll('this.URI', 'exports.URI');
}
