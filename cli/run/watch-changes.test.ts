import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { NO_SERVER, watchChanges } from './watch-changes.ts';

const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'assay-watch-'));
const never = new AbortController().signal;
const ignoreDown = (): void => {};

/** What changes next; undefined if nothing does for a while. */
const nextWithin = (changes: ReturnType<typeof watchChanges>, milliseconds = 700) =>
  changes.next(AbortSignal.timeout(milliseconds), ignoreDown);

test('several writes are one change; hidden files, node_modules and the reports are none', async () => {
  const folder = newFolder();
  const [source, reports] = [path.join(folder, 'src'), path.join(folder, 'reports')];
  for (const each of [source, reports, path.join(folder, 'node_modules')]) mkdirSync(each);
  const changes = watchChanges([folder], NO_SERVER, reports);
  for (const name of ['.swap', 'node_modules/x', 'reports/report.json', 'src/a.ts~'])
    writeFileSync(path.join(folder, name), 'x');
  expect(await nextWithin(changes)).toBeUndefined();
  for (const text of ['1', '2', '3']) writeFileSync(path.join(source, 'a.ts'), text);
  expect(await changes.next(never, ignoreDown)).toBe(path.join(source, 'a.ts'));
  expect(await nextWithin(changes)).toBeUndefined();
  changes.close();
});

test('a file is watched although an editor replaces it, and other files of its folder are not', async () => {
  const folder = newFolder();
  const file = path.join(folder, 'target.yaml');
  writeFileSync(file, '1');
  const changes = watchChanges([file], NO_SERVER, '/nowhere');
  writeFileSync(path.join(folder, 'other.yaml'), '1');
  expect(await nextWithin(changes)).toBeUndefined();
  writeFileSync(file, '2');
  // While nothing awaits it, as during a run.
  await wait(300);
  expect(await changes.next(never, ignoreDown)).toBe(file);
  expect(await nextWithin(changes)).toBeUndefined();
  changes.close();
});

test.each(['.', 'sub'])('a folder that is deleted and created again is watched: %s', async (name) => {
  const parent = newFolder();
  const folder = path.join(parent, 'dist');
  const [deleted, file] = [path.join(folder, name), path.join(folder, name, 'server.js')];
  const write = (text: string): void => {
    mkdirSync(deleted, { recursive: true });
    writeFileSync(file, text);
  };
  write('1');
  const changes = watchChanges([folder], NO_SERVER, '/nowhere');
  for (const text of ['2', '3']) {
    rmSync(deleted, { recursive: true });
    await wait(20);
    write(text);
    expect(await nextWithin(changes, 3000)).toBeDefined();
    while ((await nextWithin(changes)) !== undefined);
  }
  write('4');
  expect(await changes.next(never, ignoreDown)).toBe(file);
  changes.close();
});

const listening = (server: Server, port: number): Promise<unknown> =>
  new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));

const serverAt = (port: number) => ({ address: () => `http://127.0.0.1:${port}/v0` });

test('a server that restarts is a change as soon as it listens again', async () => {
  const first = createServer();
  await listening(first, 0);
  const { port } = first.address() as AddressInfo;
  const changes = watchChanges([], serverAt(port), '/nowhere');
  expect(await nextWithin(changes)).toBeUndefined();
  first.close();
  await wait(400);
  let downCount = 0;
  const pending = changes.next(never, () => (downCount += 1));
  const second = createServer();
  setTimeout(() => void listening(second, port), 300);
  expect(await pending).toBe('the server');
  expect([second.listening, downCount]).toEqual([true, 0]);
  expect(await nextWithin(changes)).toBeUndefined();
  changes.close();
  second.close();
});

test('after a change of a file, a restart of the server is awaited, and both are one change', async () => {
  const file = path.join(newFolder(), 'server.ts');
  writeFileSync(file, '1');
  const first = createServer();
  await listening(first, 0);
  const { port } = first.address() as AddressInfo;
  const changes = watchChanges([file], serverAt(port), '/nowhere', 60_000);
  await once(first, 'connection');
  writeFileSync(file, '2');
  setTimeout(() => first.close(), 200);
  const second = createServer();
  // Not earlier, so that the first server is seen to be down on a slow machine, too.
  const startSecond = (): void => void listening(second, port);
  expect(await changes.next(never, startSecond)).toBe(file);
  expect(second.listening).toBe(true);
  expect(await nextWithin(changes)).toBeUndefined();
  changes.close();
  second.close();
});

test('only a change of a file is one of a file, and it is named although the server has restarted, too', async () => {
  const file = path.join(newFolder(), 'server.ts');
  writeFileSync(file, '1');
  const first = createServer();
  await listening(first, 0);
  const { port } = first.address() as AddressInfo;
  const changes = watchChanges([file], serverAt(port), '/nowhere');
  await once(first, 'connection');
  const changed = changes.fileChange();
  first.close();
  await wait(400);
  const second = createServer();
  await listening(second, port);
  await once(second, 'connection');
  expect(changed.aborted).toBe(false);
  writeFileSync(file, '2');
  await expect.poll(() => changed.aborted).toBe(true);
  expect(changes.fileChange().aborted).toBe(false);
  expect(await changes.next(never, ignoreDown)).toBe(file);
  changes.close();
  second.close();
});

test('a path that does not exist is a usage error', () => {
  expect(() => watchChanges(['/nowhere/src'], NO_SERVER, '/nowhere')).toThrow('"/nowhere/src" does not exist');
});

test('a change says that no restart of a watched server was noticed', async () => {
  const server = createServer();
  await listening(server, 0);
  const { port } = server.address() as AddressInfo;
  const file = path.join(newFolder(), 'server.ts');
  writeFileSync(file, '1');
  const changes = watchChanges([file], serverAt(port), '/nowhere');
  writeFileSync(file, '2');
  expect(await changes.next(never, ignoreDown)).toBe(`${file}; no restart of the server was noticed`);
  changes.close();
  server.close();
});

test('a server that moves is watched at its new address, and its old one is not awaited', async () => {
  const [first, second] = [createServer(), createServer()];
  await Promise.all([listening(first, 0), listening(second, 0)]);
  let { port } = first.address() as AddressInfo;
  const file = path.join(newFolder(), 'target.yaml');
  writeFileSync(file, '1');
  const changes = watchChanges([file], { address: () => `http://127.0.0.1:${port}`, file }, '/nowhere');
  await once(first, 'connection');
  first.close();
  await wait(400);
  writeFileSync(file, '2');
  expect(await nextWithin(changes, 10_000)).toBe(file);
  ({ port } = second.address() as AddressInfo);
  await once(second, 'connection');
  expect(await nextWithin(changes)).toBeUndefined();
  second.close();
  await wait(400);
  await listening(second, port);
  expect(await nextWithin(changes, 10_000)).toBe('the server');
  changes.close();
  second.close();
});
