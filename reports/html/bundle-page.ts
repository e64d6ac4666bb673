/** Makes one script of the page's sources, and one style sheet. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Bundle {
  readonly script: string;
  readonly style: string;
}

const folder = path.join(import.meta.dirname, 'page');
/** In this order. */
const styles = ['tokens.css', 'page.css', 'tables.css', 'rules.css', 'exchanges.css', 'phone.css', 'print.css'];
let bundled: Promise<Bundle> | undefined;

/** Once a process: it takes some 100 ms. */
export function bundlePage(): Promise<Bundle> {
  return (bundled ??= bundle());
}

async function bundle(): Promise<Bundle> {
  // Loaded here: most who load the reports write no page.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: path.join(folder, 'main.tsx'),
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    // In the package what lies outside the folder is JavaScript.
    resolve: { extensionAlias: { '.ts': ['.ts', '.js'] } },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  });
  const style = styles.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const plotStyle = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css');
  return { script: output[0].code, style: [readFileSync(plotStyle, 'utf8'), ...style].join('\n') };
}
