import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { oddString } from '../../testing/every-operation/odd-values.ts';
import { Problem } from '../../http/problems.ts';
import { createFilesystem, listDirectory, readFile, writeFile, writeTree, type Filesystem } from './filesystem.ts';
import { absolutePath, nameOf, parentPath } from './path.ts';

const NOW = Date.UTC(2026, 3, 16);

function text(filesystem: Filesystem, path: string): string | undefined {
  return readFile(filesystem, path)?.toString();
}

test('a write creates files and missing directories, and a listing contains direct children only', () => {
  const filesystem = createFilesystem();
  expect(writeTree(filesystem, '/app', { 'b.txt': 'b', 'a.txt': 'grüße', 'src/deep/c.ts': 'c' }, NOW)).toEqual([
    '/app/b.txt',
    '/app/a.txt',
    '/app/src/deep/c.ts',
  ]);
  const common = { owner: 'root', group: 'root', permissions: '0644', lastModified: '2026-04-16T00:00:00.000Z' };
  expect(listDirectory(filesystem, '//app/')).toEqual({
    name: 'app',
    path: '/app',
    files: [
      { name: 'a.txt', path: '/app/a.txt', size: 7, ...common },
      { name: 'b.txt', path: '/app/b.txt', size: 1, ...common },
    ],
    subdirectories: [{ name: 'src', path: '/app/src' }],
  });
  expect(listDirectory(filesystem, '/app/src').subdirectories).toEqual([{ name: 'deep', path: '/app/src/deep' }]);
  expect(listDirectory(filesystem, '')).toMatchObject({ name: '/', path: '/', subdirectories: [{ path: '/app' }] });
});

test('a later write changes only the files it names, and updates their lastModified', () => {
  const filesystem = createFilesystem();
  writeTree(filesystem, '/', { 'app/x': '1', 'app/y': '1' }, NOW);
  writeTree(filesystem, '/app', { '/x': '22' }, NOW + 1000);
  const [x, y] = listDirectory(filesystem, '/app').files ?? [];
  expect([x?.size, x?.lastModified, y?.size, y?.lastModified]).toEqual([
    2,
    '2026-04-16T00:00:01.000Z',
    1,
    '2026-04-16T00:00:00.000Z',
  ]);
});

test('a write without files creates the directory', () => {
  const filesystem = createFilesystem();
  writeTree(filesystem, '/new/one', {}, NOW);
  expect(listDirectory(filesystem, '/new/one')).toMatchObject({ files: [], subdirectories: [] });
});

test.each<[string, string, Record<string, string>]>([
  ['a file in the way of a file below it', '/', { fresh: '', 'file/below': '' }],
  ['a file in the way of the directory itself', '/file', { fresh: '' }],
  ['a file in the way of a directory above', '/file/deep/er', {}],
  ['a directory in the way of a file', '/', { fresh: '', directory: '' }],
  ['two of the files in each other’s way', '/', { fresh: '', 'fresh/below': '' }],
  ['a path that names no file', '/', { fresh: '', 'x/': '' }],
])('%s refuses the whole write', (_, directory, files) => {
  const filesystem = createFilesystem(['/directory']);
  writeTree(filesystem, '/', { file: 'kept' }, NOW);
  const before = structuredClone(filesystem);
  expect(() => writeTree(filesystem, directory, files, NOW)).toThrow(Problem);
  expect(filesystem).toEqual(before);
});

test('a missing directory and a file cannot be listed', () => {
  const filesystem = createFilesystem();
  writeTree(filesystem, '/', { file: '' }, NOW);
  expect(() => listDirectory(filesystem, '/missing')).toThrow('Directory "/missing" does not exist.');
  expect(() => listDirectory(filesystem, '/file')).toThrow('"/file" is a file; expected a directory.');
  expect(() => listDirectory(filesystem, '/file/x')).toThrow('"/file" is a file');
});

test('binary content is returned unchanged', () => {
  const filesystem = createFilesystem();
  const bytes = Buffer.from([0xff, 0x00, 0xc3]);
  writeFile(filesystem, 'bin/tool', bytes, NOW, { permissions: 0o755 });
  expect(readFile(filesystem, '/bin/tool')?.equals(bytes)).toBe(true);
  expect(listDirectory(filesystem, '/bin').files?.[0]).toMatchObject({ size: 3, permissions: '0755' });
});

test('rewriting a file preserves its permissions', () => {
  const filesystem = createFilesystem();
  writeFile(filesystem, '/run', Buffer.from('1'), NOW, { permissions: 0o755 });
  writeTree(filesystem, '/', { run: '2' }, NOW);
  expect(listDirectory(filesystem, '/').files?.[0]?.permissions).toBe('0755');
});

test('names of Object.prototype members are valid file names', () => {
  const filesystem = createFilesystem();
  const files = JSON.parse('{"__proto__": "1", "constructor/x": "2"}') as Record<string, string>;
  writeTree(filesystem, '/', files, NOW);
  expect([text(filesystem, '/__proto__'), text(filesystem, 'constructor/x'), text(filesystem, 'toString')]).toEqual([
    '1',
    '2',
    undefined,
  ]);
});

test('a filesystem survives JSON serialization', () => {
  const filesystem = createFilesystem(['/app']);
  writeTree(filesystem, '/app', { 'x/y': 'ä', z: '' }, NOW);
  expect(JSON.parse(JSON.stringify(filesystem))).toEqual(filesystem);
});

/** Rethrows any error that is not a problem. */
function isRefused(write: () => unknown): boolean {
  try {
    write();
    return false;
  } catch (error) {
    if (error instanceof Problem) return true;
    throw error;
  }
}

const names = fc.constantFrom('a', 'b', 'é', '.x', '__proto__', '..', '.', '');
const paths = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const writes = fc.record({
  directory: paths,
  files: fc.dictionary(paths, oddString, { maxKeys: 3 }),
});

test('after any writes the contents equal a map of paths', () => {
  fc.assert(
    fc.property(fc.array(writes, { maxLength: 8 }), (sequence) => {
      const filesystem = createFilesystem();
      const model = new Map<string, string>();
      for (const { directory, files } of sequence) {
        if (isRefused(() => writeTree(filesystem, directory, files, NOW))) continue;
        for (const [path, content] of Object.entries(files))
          model.set(absolutePath(path, absolutePath(directory)), content);
      }
      for (const [path, content] of model) {
        expect(text(filesystem, path)).toBe(content.toWellFormed());
        expect(listDirectory(filesystem, parentPath(path)).files?.map(({ name }) => name)).toContain(nameOf(path));
      }
      const files = Object.values(filesystem.entries).filter(({ kind }) => kind === 'file');
      expect(files).toHaveLength(model.size);
    }),
  );
});
