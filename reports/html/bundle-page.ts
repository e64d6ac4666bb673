/** The page as one script and one style sheet: as the package contains it, or, in a checkout, bundled from its sources. */
import { existsSync, readFileSync } from 'node:fs';
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
  return (bundled ??= readOrBundle());
}

async function readOrBundle(): Promise<Bundle> {
  const built = path.join(import.meta.dirname, 'built/report.json');
  return existsSync(built) ? (JSON.parse(readFileSync(built, 'utf8')) as Bundle) : bundle();
}

async function bundle(): Promise<Bundle> {
  // Loaded on demand, and only installed in a checkout.
  const { build } = await import('rolldown');
  const { output } = await build({
    input: path.join(folder, 'main.tsx'),
    platform: 'browser',
    tsconfig: false,
    transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    output: { format: 'iife', minify: true },
    write: false,
    logLevel: 'warn',
  });
  const style = styles.map((file) => readFileSync(path.join(folder, file), 'utf8'));
  const plotStyle = createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css');
  return { script: output[0].code, style: [readFileSync(plotStyle, 'utf8'), ...style].join('\n') };
}
