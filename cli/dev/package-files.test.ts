/** Holds what `npm run build` puts into the package: what its entry points reach, and nothing that only tests need. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bundlingSources } from './bundle-libraries.ts';
import { pageLibraries } from './library-licences.ts';
import { pageSources } from './require-installed.ts';
import { bundledLibraries } from './bundle-start.ts';
import { vendoredLibraries } from './vendor-libraries.ts';

const root = path.join(import.meta.dirname, '../..');
const {
  dependencies,
  devDependencies,
  exports,
  files: packed,
  peerDependencies,
  peerDependenciesMeta,
} = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<
  'dependencies' | 'devDependencies' | 'peerDependencies',
  Record<string, string>
> & {
  peerDependenciesMeta: Record<string, object>;
  exports: Record<string, string | { types: string; default: string } | null>;
  files: string[];
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
  const carried: readonly string[] = [...bundlingSources, ...pageSources];
  const unbundled = [...imports].filter(([file]) => !carried.includes(file));
  const available = Object.keys({ ...dependencies, ...peerDependenciesMeta, ...vendoredLibraries });
  const contained: readonly string[] = [...available, ...bundledLibraries];
  const wanted = unbundled.flatMap(([file, specifiers]) =>
    specifiers.filter((each) => !/^(?:\.|node:)/.test(each)).map((each) => ({ file, package: packageOf(each) })),
  );
  expect(wanted).toContainEqual({ file: 'mock/server/handle-requests.ts', package: 'koa' });
  expect(wanted.filter((each) => !contained.includes(each.package))).toEqual([]);
});

// npm 10 cannot resolve the peers of vitest. pnpm and Yarn make a peer of what only peerDependenciesMeta names.
test('vitest is no peer dependency for npm', () => {
  expect(Object.keys(peerDependencies)).not.toContain('vitest');
  expect(peerDependenciesMeta).toMatchObject({ vitest: { optional: true } });
});

test('what the package contains is not installed with it', () => {
  const contained = [...Object.keys(vendoredLibraries), ...bundledLibraries, 'preact', 'uplot', 'rolldown'];
  expect(
    contained.filter((each) => !Object.hasOwn(devDependencies, each) || Object.hasOwn(dependencies, each)),
  ).toEqual([]);
});

test('every export is in the package', () => {
  const built = Object.values(exports).flatMap((each) =>
    each !== null && typeof each === 'object' ? [each.default] : [],
  );
  const sources = built.map((each) => each.replace('./dist/', '').replace(/\.js$/, '.ts'));
  expect(sources).toContain('mock/start-mock.ts');
  expect(exports['./openapi/tables.json']).toBeNull();
  expect(sources.filter((each) => !files.includes(each))).toEqual([]);
});

test('a page imports only libraries whose licences the package contains', () => {
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
  expect([...wanted].sort()).toEqual([...pageLibraries]);
});

test('every file of the package is an entry point, or imported by another one', () => {
  const imported = new Set(
    [...imports].flatMap(([file, specifiers]) => specifiers.map((each) => path.join(path.dirname(file), each))),
  );
  const others = files.filter((file) => !imported.has(file) && !file.endsWith('.suite.ts'));
  expect(others.sort()).toEqual([
    'cli/lint/lint-process.ts',
    'cli/main.ts',
    'mock/test-runners/playwright.ts',
    'mock/test-runners/vitest.ts',
  ]);
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

test('the lock file lets npm of any Node install optional packages', () => {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { optional?: boolean; engines?: object; libc?: string[] }>;
  };
  const optional = Object.entries(lock.packages).filter(([, each]) => each.optional === true);
  expect(optional.length).toBeGreaterThan(50);
  expect(optional.filter(([, { engines, libc = [] }]) => engines !== undefined || libc.includes('glibc'))).toEqual([]);
});

test('examples for readers of the repository are not in the package', () => {
  expect(packed).toContain('dist');
  expect(packed.filter((file) => /^(?:\.?\/?fixtures|\*|\.)/.test(file))).toEqual([]);
});
