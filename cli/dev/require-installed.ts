/** Finds imports in built files of packages that are not installed with ours. */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseAst } from 'rolldown/parseAst';

/** They bundle a page only in a checkout: the package contains the pages. */
export const pageSources = ['mock/server/console/bundle-page.ts', 'reports/html/bundle-page.ts'] as const;

/** What is imported only then. */
const BUNDLER = 'rolldown';
const bundling: readonly string[] = pageSources.map((source) => source.replace(/\.ts$/, '.js'));

/** `installed`: names of packages. Throws an error that lists the files and what they import, if anything is not installed. */
export function requireInstalled(dist: string, installed: readonly string[]): void {
  const missing = globSync('**/*.{js,mjs,cjs}', { cwd: dist }).flatMap((file) =>
    importsOf(readFileSync(path.join(dist, file), 'utf8'))
      .filter((specifier) => !isAvailable(specifier, bundling.includes(file) ? [...installed, BUNDLER] : installed))
      .map((specifier) => `${file} imports ${specifier}`),
  );
  if (missing.length === 0) return;
  throw new Error(
    `The package would import what is not installed with it:\n${missing.join('\n')}\nImport it in a way that vendor-libraries.ts finds.`,
  );
}

const isAvailable = (specifier: string, installed: readonly string[]): boolean =>
  /^(\.|#|file:)/.test(specifier) ||
  isBuiltin(specifier) ||
  installed.some((name) => `${specifier}/`.startsWith(`${name}/`));

interface Node {
  readonly type?: string;
  readonly source?: Node | null;
  readonly callee?: Node;
  readonly name?: string;
  readonly value?: unknown;
  readonly arguments?: readonly Node[];
}

/** What a module imports or requires by a literal name, wherever in the file. */
export function importsOf(text: string): string[] {
  const found = new Set<string>();
  const waiting: unknown[] = [parseAst(text)];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const specifier = specifierOf(node as Node);
    if (typeof specifier === 'string') found.add(specifier);
    waiting.push(...Object.values(node as Node).filter((each) => typeof each === 'object' && each !== null));
  }
  return [...found];
}

function specifierOf({ type, source, callee, arguments: words = [] }: Node): unknown {
  if (type === 'CallExpression') return callee?.name === 'require' ? words[0]?.value : undefined;
  return source?.value;
}
