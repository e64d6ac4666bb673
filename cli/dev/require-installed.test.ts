/** Checks that a build with an import of a package that is not installed fails, in whichever form the import is written. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { requireInstalled } from './require-installed.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-built-'));
afterAll(() => rmSync(folder, { recursive: true }));

function build(text: string): string {
  const dist = mkdtempSync(path.join(folder, 'dist-'));
  mkdirSync(path.join(dist, 'cli'));
  writeFileSync(path.join(dist, 'cli/file.js'), text);
  return dist;
}

test.each([
  `import { fetch } from 'undici';`,
  `import 'undici';`,
  `export { fetch } from 'undici';`,
  `export * from 'undici/deep/file.js';`,
  `const { fetch } = await import('undici');`,
  `const [{ fetch }] = await Promise.all([import('undici'), import('./other.js')]);`,
  `const require = createRequire(import.meta.url); const load = () => require('undici');`,
])('refuses %s', (text) => {
  expect(() => requireInstalled(build(text), ['koa'])).toThrow(/^The package would.*\ncli\/file\.js imports undici/);
});

test.each([
  `import fs from 'node:fs'; import path from 'path';`,
  `import Koa from 'koa'; import deep from 'koa/lib/request.js';`,
  `import other from './other.js';`,
  `const text = "import 'undici'"; // import 'undici'`,
])('accepts %s', (text) => {
  expect(() => requireInstalled(build(text), ['koa'])).not.toThrow();
});
