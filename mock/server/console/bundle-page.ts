/** A page as one script and one style sheet: as the package contains it, or, in a checkout, bundled from its sources. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const folder = path.join(import.meta.dirname, 'page');
const require = createRequire(import.meta.url);
const fileIn = (name: string) => path.join(folder, name);

/** In this order. Resolved lazily, because the package does not contain them. */
const styles = {
  console: () => [
    require.resolve('uplot/dist/uPlot.min.css'),
    ...['tokens.css', 'controls.css', 'console.css', 'world.css', 'metrics.css', 'phone.css'].map(fileIn),
  ],
  docs: () => ['tokens.css', 'controls.css', 'docs.css'].map(fileIn),
};

export type PageName = keyof typeof styles;
export const pageNames = ['console', 'docs'] as const satisfies readonly PageName[];

const bundles = new Map<PageName, Promise<Bundle>>();

/** Cached per process: bundling takes about 100 ms. */
export function bundlePage(page: PageName): Promise<Bundle> {
  const pending = bundles.get(page) ?? readOrBundle(page);
  bundles.set(page, pending);
  return pending;
}

async function readOrBundle(page: PageName): Promise<Bundle> {
  const built = path.join(import.meta.dirname, 'built', `${page}.json`);
  return existsSync(built) ? (JSON.parse(readFileSync(built, 'utf8')) as Bundle) : bundle(page);
}

async function bundle(page: PageName): Promise<Bundle> {
  // Loaded on demand, and only installed in a checkout.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: fileIn(`${page}.tsx`),
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  });
  const style = styles[page]().map((file) => readFileSync(file, 'utf8'));
  return { script: output[0].code, style: style.join('\n') };
}
