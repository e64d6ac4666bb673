/** Bundles the sources of a page into one script and one style sheet. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const folder = path.join(import.meta.dirname, 'page');
const require = createRequire(import.meta.url);
const fileIn = (name: string) => path.join(folder, name);

/** In this order. Resolved lazily, because some files exist only in a checkout. */
const styles = {
  console: () => [
    require.resolve('uplot/dist/uPlot.min.css'),
    ...['tokens.css', 'controls.css', 'console.css', 'world.css', 'metrics.css', 'phone.css'].map(fileIn),
  ],
  docs: () => ['tokens.css', 'controls.css', 'docs.css'].map(fileIn),
};

export type PageName = keyof typeof styles;

const bundles = new Map<PageName, Promise<Bundle>>();

/** Cached per process: bundling takes about 100 ms. */
export function bundlePage(page: PageName): Promise<Bundle> {
  const made = bundles.get(page) ?? bundle(page);
  bundles.set(page, made);
  return made;
}

async function bundle(page: PageName): Promise<Bundle> {
  // Loaded on demand: most mocks never serve a page.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: fileIn(`${page}.tsx`),
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // In the package, imports from outside the folder are JavaScript.
    resolve: { extensionAlias: { '.ts': ['.ts', '.js'] } },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  });
  const style = styles[page]().map((file) => readFileSync(file, 'utf8'));
  return { script: output[0].code, style: style.join('\n') };
}
