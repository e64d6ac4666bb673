/** docs/clients.md installs the versions that `npm run clients` tries, and says where its commands come from. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generators, packages } from './client-generators.ts';

const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/clients.md'), 'utf8');

/** What the page installs that `npm run clients` does not: no generator of TypeScript. */
const others = { 'openapi-to-postmanv2': '6.3.3' };
const versions: Readonly<Record<string, string>> = { ...packages, ...others };

/** By package. */
const installed = Object.fromEntries(
  [...page.matchAll(/^npm install --save-dev (?:.|\\\n)*$/gm)].flatMap(([line]) =>
    [...line.matchAll(/(\S+)@([\d.]+)/g)].map(([, name = '', version = '']) => [name, version]),
  ),
);

test('the page installs pinned versions that are tried', () => {
  expect(Object.keys(installed).length).toBeGreaterThan(8);
  for (const [name, version] of Object.entries(installed))
    expect(`${name}@${version}`).toBe(`${name}@${versions[name]}`);
});

test('the table names the six clients of fixtures/clients and the versions that are tried', () => {
  const rows = [...page.matchAll(/^\| ([a-z-]+)(?:, client `fetch`)? +\| ([\d.]+) /gm)];
  const packageOf: Readonly<Record<string, string>> = { 'hey-api': '@hey-api/openapi-ts', kubb: '@kubb/cli' };
  expect(rows.map(([, name = '']) => name).toSorted()).toEqual(Object.keys(generators).slice(0, 6).toSorted());
  for (const [, name = '', version] of rows) expect([name, version]).toEqual([name, versions[packageOf[name] ?? name]]);
});

test('every command of a block is that of a package which the block installs', () => {
  const blocks = [...page.matchAll(/^```bash\n([^]*?)^```/gm)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(7);
  for (const block of blocks) expect(block).toMatch(/^npm install --save-dev [^]*\nnpx \S/);
  expect(page.match(/^npx /gm)).toHaveLength(blocks.length);
});
