import { expect, test } from 'vitest';
import { listDirectory, readFile, writeTree } from './filesystem.ts';
import { createSandboxes } from './sandboxes.ts';

test('each sandbox has its own files', () => {
  const sandboxes = createSandboxes();
  writeTree(sandboxes.open('demo', 'box', 't0').filesystem, '/app', { x: '1' }, 0);
  expect(readFile(sandboxes.open('demo', 'box', 't0').filesystem, '/app/x')?.toString()).toBe('1');
  for (const [workspace, name] of [
    ['demo', 'other'],
    ['second', 'box'],
  ] as const) {
    expect(listDirectory(sandboxes.open(workspace, name, 't0').filesystem, '/app').files).toEqual([]);
  }
});

test('a sandbox that was created again starts empty, and watch streams of the old one end', () => {
  const sandboxes = createSandboxes();
  const old = sandboxes.open('demo', 'box', 't0');
  let closed = 0;
  writeTree(old.filesystem, '/app', { x: '1' }, 0);
  old.watchers.add({ directory: '/', ignore: [], notify: () => {}, close: () => void closed++ });
  expect(listDirectory(sandboxes.open('demo', 'box', 't1').filesystem, '/app').files).toEqual([]);
  expect(closed).toBe(1);
});

test('saved state is plain data, independent of the sandboxes, and can be loaded', () => {
  const sandboxes = createSandboxes();
  const { filesystem } = sandboxes.open('demo', 'box', 't0');
  writeTree(filesystem, '/app', { x: '1' }, 0);
  const saved = sandboxes.save();
  writeTree(filesystem, '/app', { x: '2' }, 0);
  expect(JSON.parse(JSON.stringify(saved))).toEqual(saved);
  expect(readFile(createSandboxes(saved).open('demo', 'box', 't0').filesystem, '/app/x')?.toString()).toBe('1');
});
