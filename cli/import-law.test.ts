/** Holds the import law: which room may import which, and that nothing else stands at the top level. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const everyRoom = ['spec', 'fixtures', 'mock', 'suites', 'reports', 'cli', 'bench'];

/** Beside itself. */
const mayImport: Record<string, readonly string[]> = {
  spec: [],
  fixtures: ['spec'],
  mock: ['spec', 'fixtures'],
  suites: ['spec', 'fixtures'],
  reports: ['spec'],
  cli: everyRoom,
  bench: everyRoom,
};

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

const sources = files.filter((file) => /\.m?tsx?$/.test(file) && file.includes('/'));

/** What a source imports, statically or dynamically, as paths from the root; packages left out. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(
    (match) => match[1] ?? '',
  );
  return specifiers.map((specifier) => path.join(path.dirname(file), specifier));
}

function roomOf(file: string): string {
  return file.split('/', 1)[0] ?? '';
}

test('a room imports only what the law allows it', () => {
  const breaches = sources.flatMap((file) =>
    importsOf(file)
      .filter((imported) => ![roomOf(file), ...(mayImport[roomOf(file)] ?? [])].includes(roomOf(imported)))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(breaches).toEqual([]);
});

test('the law sees the imports it judges', () => {
  expect(importsOf('cli/mock.ts')).toContain('mock/start-mock.ts');
});

test('the top level holds the rooms and their papers only', () => {
  const papers = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    'README.md',
    'CONTRIBUTING.md',
    'LICENSE',
  ];
  const top = new Set(files.map(roomOf).filter((name) => !name.startsWith('.')));
  expect([...top].filter((name) => !papers.includes(name) && !everyRoom.includes(name))).toEqual([]);
});
