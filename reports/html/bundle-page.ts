/** Bundles the page's sources into one script and one style sheet. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const folder = path.join(import.meta.dirname, 'page');
/** In cascade order. */
const styles = ['tokens.css', 'page.css', 'tables.css', 'rules.css', 'exchanges.css', 'phone.css', 'print.css'];
let bundled: Promise<Bundle> | undefined;

/** Bundles once per process, which takes about 100 ms. */
export function bundlePage(): Promise<Bundle> {
  return (bundled ??= bundle());
}

async function bundle(): Promise<Bundle> {
  // Loaded on demand, because most commands that import reports write no page.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: path.join(folder, 'main.tsx'),
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // In the package, files outside the page folder are JavaScript.
    resolve: { extensionAlias: { '.ts': ['.ts', '.js'] } },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  });
  const style = styles.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const plotStyle = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css');
  return { script: output[0].code, style: [readFileSync(plotStyle, 'utf8'), ...style].join('\n') };
}
