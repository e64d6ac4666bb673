import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchedFile, watchFile } from './watch-file.ts';

let folder: string;
let file: string;
let stop: () => void;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-watch-'));
  file = path.join(folder, 'world.yaml');
  writeFileSync(file, 'a');
});
afterEach(() => {
  stop();
  rmSync(folder, { recursive: true });
});

const replace = (text: string): void => {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
};

test.each<[string, () => void]>([
  ['a write', () => writeFileSync(file, 'b')],
  ['a file that replaces it', () => replace('b')],
  ['a new time of modification', () => utimesSync(file, 1, 1)],
  ['a deletion', () => rmSync(file)],
])('%s is a change', async (_, change) => {
  const onChange = vi.fn<() => Promise<void>>(async () => {});
  stop = watchFile(watchedFile(file), onChange, 1);
  change();
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
});

test('a change between reading and watching is noticed, and one during a call comes after it', async () => {
  const watched = watchedFile(file);
  replace('b');
  let running = 0;
  const onChange = vi.fn<() => Promise<void>>(async () => {
    expect(++running).toBe(1);
    if (onChange.mock.calls.length === 1) replace('c');
    await new Promise(setImmediate);
    running--;
  });
  stop = watchFile(watched, onChange, 1);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
});

test('nothing is called after it was stopped', async () => {
  const onChange = vi.fn<() => Promise<void>>(async () => {});
  stop = watchFile(watchedFile(file), onChange, 1);
  stop();
  replace('b');
  const other = vi.fn<() => Promise<void>>(async () => {});
  stop = watchFile({ path: file, seen: '' }, other, 1);
  await vi.waitFor(() => expect(other).toHaveBeenCalled());
  expect(onChange).not.toHaveBeenCalled();
});
