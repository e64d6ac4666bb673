import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStateFile } from './state-file.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-state-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Permissions of every file in the folder. */
const modes = (): [string, string][] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => [name, (statSync(path.join(folder, name)).mode & 0o777).toString(8)]);

test.skipIf(process.platform === 'win32')('new files are readable only by their owner', () => {
  const stateFile = openStateFile(path.join(folder, 'mock.db'));
  stateFile.write([{ member: 'a', key: 'b', value: '1' }]);
  expect(modes()).toEqual([
    ['mock.db', '600'],
    ['mock.db-wal', '600'],
  ]);
  stateFile.close();
  expect(modes()).toEqual([['mock.db', '600']]);
});

test('a new file to which nothing was written is removed', () => {
  openStateFile(path.join(folder, 'mock.db')).close();
  expect(modes()).toEqual([]);
});

test('a file in a folder that does not exist is refused', () => {
  expect(() => openStateFile(path.join(folder, 'none', 'mock.db'))).toThrow(/mock\.db cannot be opened: /);
});
