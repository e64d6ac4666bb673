/** Enforces the import law: rooms and layers as listed in `dev/layers.ts`, and nothing else at the top level. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { rooms, type Room } from './layers.ts';

const root = path.join(import.meta.dirname, '../..');

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);

const sources = files.filter((file) => /\.m?tsx?$/.test(file) && file.includes('/'));

/** Tests and test support may import from any layer of their room. */
const isTestCode = (file: string): boolean => /\.test\.ts$|\/testing\//.test(file);

/** Files a source imports, statically or dynamically, as paths from the root; packages are not included. */
function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g)].map(
    (match) => match[1] ?? '',
  );
  return specifiers.map((specifier) => path.join(path.dirname(file), specifier));
}

const roomOf = (file: string): string => file.split('/', 1)[0] ?? '';

/** The listed folder of the room that contains the file: the deepest one. Undefined if none does. */
function folderOf({ name, layers = [] }: Room, file: string): string | undefined {
  const inside = path.dirname(path.relative(name, file));
  const folders = layers.flatMap((layer) => layer.folders);
  return folders
    .filter((folder) => (folder === '.' ? inside === '.' : inside === folder || inside.startsWith(`${folder}/`)))
    .toSorted((a, b) => b.length - a.length)[0];
}

function layerOf({ layers = [] }: Room, folder: string): number {
  return layers.findIndex(({ folders }) => folders.includes(folder));
}

test('a room imports only the rooms it may import', () => {
  const allowed = new Map(rooms.map(({ name, mayImport }) => [name, [name, ...mayImport]]));
  const breaches = sources.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !allowed.get(roomOf(file))?.includes(roomOf(imported)))
      .map((imported) => `${file} imports ${imported}`),
  );
  expect(breaches).toEqual([]);
});

const layered = rooms.filter(({ layers }) => layers !== undefined);

test.each(layered)('$name: every folder has a layer', (room) => {
  const own = sources.filter((file) => roomOf(file) === room.name);
  expect(own.filter((file) => folderOf(room, file) === undefined)).toEqual([]);
});

test.each(layered)('$name: imports point down', (room) => {
  const own = sources.filter((file) => roomOf(file) === room.name && !isTestCode(file));
  const breaches = own.flatMap((file) => {
    const from = folderOf(room, file) ?? '';
    return importsOf(file)
      .filter((imported) => roomOf(imported) === room.name)
      .filter((imported) => {
        const to = folderOf(room, imported) ?? '';
        return from !== to && layerOf(room, from) <= layerOf(room, to);
      })
      .map((imported) => `${file} imports ${imported}`);
  });
  expect(breaches).toEqual([]);
});

test('the law sees the imports it judges', () => {
  const [first] = sources.filter((file) => file.startsWith('mock/start-mock.ts')).map(importsOf);
  expect(first?.length).toBeGreaterThan(0);
});

test('the top level contains only rooms and project files', () => {
  const projectFiles = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'vitest.config.ts',
    'README.md',
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'docs',
    'findings',
  ];
  const top = new Set(files.map(roomOf).filter((name) => !name.startsWith('.')));
  expect([...top].filter((name) => !projectFiles.includes(name) && !rooms.some((room) => room.name === name))).toEqual(
    [],
  );
});
