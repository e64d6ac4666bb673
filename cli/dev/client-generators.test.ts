/** docs/clients.md: `npm run clients` runs its commands; here, what they install and what the page says about them. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { forSurface, generators } from './client-generators.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/clients.md'), 'utf8');

const installedBy = (install: string): string[] =>
  install
    .replaceAll('\\\n', ' ')
    .split(/\s+/)
    .filter((word) => !/^(?:npm|install|--save-dev)$/.test(word));

const versionIn = (install: string): string | undefined => /@([\d.]+)(?=\s|$)/.exec(install)?.[1];

test('every section that installs something is tried', () => {
  expect(generators.map(({ name }) => name)).toEqual([
    'openapi-typescript',
    'hey-api',
    'orval',
    'kubb',
    'swagger-typescript-api',
    'openapi-typescript-codegen',
    'oazapfts',
    'rtk-query',
    'openapi-zod-client',
    'typed-openapi',
    'Postman',
  ]);
  expect(page.match(/^npm install/gm)).toHaveLength(generators.length);
  expect(page.match(/^npx /gm)).toHaveLength(generators.flatMap(({ commands }) => commands).length);
});

test('the table says how each generator with a client in fixtures sends a nested path', () => {
  const used = generators.filter(({ name }) => existsSync(path.join(root, `fixtures/clients/${name}.ts`)));
  expect(used).toHaveLength(6);
  expect(used.filter(({ nestedPath }) => nestedPath !== 'a/b' && nestedPath !== 'a%2Fb')).toEqual([]);
});

test.each(generators)('$name is installed in exact versions', ({ install }) => {
  expect(installedBy(install).filter((word) => !/^@?[^@]+@\d+\.\d+\.\d+$/.test(word))).toEqual([]);
});

test.each(generators)('the commands of $name are called with npx, and their configuration is on the page', (each) => {
  expect(each.commands.filter((command) => !/^npx \S/.test(command))).toEqual([]);
  const configured = each.commands.join(' ').match(/[\w-]+\.config\.\w+/g) ?? [];
  expect(configured.filter((file) => !(file in each.files))).toEqual([]);
});

test('the table has the versions that are installed, and every client of fixtures/clients', () => {
  const rows = [...page.matchAll(/^\| ([a-z-]+)(?:, client `fetch`)? +\| ([\d.]+) /gm)];
  const clients = generators.filter(({ name }) => existsSync(path.join(root, `fixtures/clients/${name}.ts`)));
  expect(clients).toHaveLength(6);
  expect(rows.map(([, name, version]) => [name, version])).toEqual(
    clients.map(({ name, install }) => [name, versionIn(install)]),
  );
});

test('the package exports the documents that the page names', () => {
  const { exports } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | null>;
  };
  const named = [...page.matchAll(/`@svc\/assay\/(openapi\/\w+\.json)`/g)].map(([, name = '']) => name);
  expect(named.toSorted()).toEqual(
    ['control', 'host', 'inference', 'management', 'sandbox'].map((surface) => `openapi/${surface}.json`),
  );
  const sourceOf = (name: string): string =>
    (exports[`./${name}`] ?? exports['./openapi/*.json'] ?? '')
      .replace('*', path.basename(name, '.json'))
      .replace('./dist/', './');
  expect(named.filter((name) => !existsSync(path.join(root, sourceOf(name))))).toEqual([]);
});

test('a command for one document is a command for another', () => {
  expect(forSurface("npx x management.json -n 'sendToManagement'", 'host')).toBe("npx x host.json -n 'sendToHost'");
});
