/** Holds what `npm run build` puts into the package: what its entry points reach, and nothing that only tests need. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundlingSources } from './bundle-libraries.ts';

const root = path.join(import.meta.dirname, '../..');
const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

const config = path.join(root, 'cli/dev/tsconfig.build.json');
const files = execFileSync(path.join(root, 'node_modules/.bin/tsc'), ['--listFilesOnly', '-p', config], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && !file.includes('node_modules'))
  .map((file) => path.relative(root, file));

/** What the sources import or require, by source. */
const imports = new Map(files.map((file) => [file, importsOf(file)]));

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const found = text.matchAll(/(?<![.\w])(?:from|import|require)\s*\(?\s*'([^'\s]+)'/g);
  return [...found].map(([, specifier = '']) => specifier);
}

/** `@scope/name/deep/file.js` is of the package `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

test('the package imports only what is installed with it', () => {
  const carried: readonly string[] = bundlingSources;
  const unbundled = [...imports].filter(([file]) => !carried.includes(file));
  const wanted = unbundled.flatMap(([file, specifiers]) =>
    specifiers.filter((each) => !/^(?:\.|node:)/.test(each)).map((each) => ({ file, package: packageOf(each) })),
  );
  expect(wanted).toContainEqual({ file: 'mock/server/handle-requests.ts', package: 'koa' });
  expect(wanted.filter((each) => !Object.hasOwn(dependencies, each.package))).toEqual([]);
});

test('the imports of a page are installed with the package', () => {
  const pages = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*/page/*.ts', '*/page/*.tsx'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const sources = pages.split('\n').filter((file) => file !== '' && !file.endsWith('.test.ts'));
  const wanted = new Set(
    sources
      .flatMap(importsOf)
      .filter((each) => !each.startsWith('.'))
      .map(packageOf),
  );
  expect([...wanted]).toContain('preact');
  expect([...wanted].filter((each) => !Object.hasOwn(dependencies, each))).toEqual([]);
});

test('every file of the package is an entry point, or imported by another one', () => {
  const imported = new Set(
    [...imports].flatMap(([file, specifiers]) => specifiers.map((each) => path.join(path.dirname(file), each))),
  );
  const others = files.filter((file) => !imported.has(file) && !file.endsWith('.suite.ts'));
  expect(others.sort()).toEqual(['cli/lint/lint-process.ts', 'cli/main.ts', 'suites/engine/vitest-setup.ts']);
});

test('the package carries every suite', () => {
  const suites = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', 'suites/**/*.suite.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect(files.filter((file) => file.endsWith('.suite.ts')).sort()).toEqual(suites.split('\n').filter(Boolean).sort());
});
