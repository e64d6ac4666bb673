import { expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import { startMock, type RunningMock } from '../start-mock.ts';
import { saveWorld } from '../world/snapshot.ts';
import { trackChanges, type Changes } from './changes.ts';
import { readSavedWorld } from './saved-world.ts';
import type { Entry } from './state-file.ts';

async function call({ addresses, target }: RunningMock, method: string, path: string, body?: unknown) {
  const response = await fetch(`${addresses.host}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.credentials.apiKey.value}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? {} : JSON.parse(text);
}

async function uploadPart({ addresses, target }: RunningMock, path: string) {
  const body = new FormData();
  body.set('file', new Blob(['c']), 'c');
  const authorization = `Bearer ${target.credentials.apiKey.value}`;
  const response = await fetch(addresses.host + path, { method: 'PUT', headers: { authorization }, body });
  if (!response.ok) throw new Error(await response.text());
}

const FILES = '/sandbox/demo/demo-box/filesystem';
const UPLOADS = '/sandbox/demo/demo-box/filesystem-multipart';
const WORLD = { seed: 1, clock: 'frozen', now: Date.parse('2026-11-01T00:00:00Z') } as const;

/** Like the table of a state file. */
function createTable({ all }: Changes) {
  const world = defaultWorld(WORLD.seed, WORLD.now);
  const origin: Entry = { member: 'origin', key: '', value: JSON.stringify({ ...WORLD, world }) };
  const rows = new Map<string, Entry>([['origin', origin]]);
  const write = (entries: readonly Entry[]) => {
    for (const entry of entries) {
      const id = `${entry.member} ${entry.key}`;
      if (entry.value === undefined) rows.delete(id);
      else rows.set(id, entry);
    }
  };
  write(all);
  return { write, snapshot: () => readSavedWorld('table', [...rows.values()]).snapshot };
}

test('the entries of all changes are the world', async () => {
  await using mock = await startMock(WORLD);
  const { world } = mock;
  const changes = trackChanges(world);
  const table = createTable(changes);
  let upload = '';
  const steps: (() => Promise<unknown>)[] = [
    () => call(mock, 'PUT', `${FILES}/tree/app`, { files: { 'a.txt': '1', 'b.txt': '2' } }),
    () => call(mock, 'PUT', `${FILES}/tree/app`, { files: { 'a.txt': '3' } }),
    () => call(mock, 'POST', '/demo/agents/demo-agent', { inputs: 'hello' }),
    () => mock.clock.advance('1h'),
    () => call(mock, 'POST', '/demo/agents/demo-agent', { inputs: 'hello again' }),
    () => call(mock, 'POST', '/v0/jobs/demo-job/executions', { tasks: [{}] }),
    () => call(mock, 'POST', '/v0/agents', { metadata: { name: 'another' }, spec: {} }),
    () => call(mock, 'DELETE', '/v0/agents/another'),
    () => mock.newToken(),
    async () => (upload = (await call(mock, 'POST', `${UPLOADS}/initiate/app/c.bin`, {})).uploadId as string),
    () => uploadPart(mock, `${UPLOADS}/${upload}/part?partNumber=1`),
    async () => {
      const { parts } = await call(mock, 'GET', `${UPLOADS}/${upload}/parts`);
      return call(mock, 'POST', `${UPLOADS}/${upload}/complete`, { parts });
    },
    () => call(mock, 'DELETE', `${FILES}/app/c.bin`),
    () => call(mock, 'DELETE', '/v0/sandboxes/demo-box'),
    () => mock.clock.advance('1h'),
  ];
  for (const step of steps) {
    await step();
    table.write(changes.next());
    expect(table.snapshot()).toEqual(JSON.parse(JSON.stringify(saveWorld(world))));
  }
});

test('a write saves what it changes, however many files, calls and resources the world has', async () => {
  await using mock = await startMock(WORLD);
  const files = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}.txt`, 'content']));
  await call(mock, 'PUT', `${FILES}/tree/app`, { files });
  for (let nth = 0; nth < 20; nth++) await call(mock, 'POST', '/demo/agents/demo-agent', { inputs: 'hello' });
  const changes = trackChanges(mock.world);
  const saved = (entries: readonly Entry[]) => entries.map(({ member, key }) => `${member} ${key}`);
  await call(mock, 'PUT', `${FILES}/tree/app`, { files: { '7.txt': 'other' } });
  expect(saved(changes.next())).toEqual(['sandboxes ["demo/demo-box","filesystem","entries","/app/7.txt"]']);
  await call(mock, 'POST', '/demo/agents/demo-agent', { inputs: 'hello' });
  expect(changes.next().length).toBeLessThanOrEqual(4);
  expect(changes.next()).toEqual([]);
});

test('an entry that is deleted and created again is deleted first, so that it becomes the last one', async () => {
  await using mock = await startMock(WORLD);
  const changes = trackChanges(mock.world);
  const policies = mock.world.resources.get('demo/policies');
  const [[name, policy]] = [...(policies ?? [])] as [[string, never]];
  policies?.delete(name);
  policies?.set(name, policy);
  const own = changes.next().filter(({ member }) => member === 'resources');
  expect(own.map(({ value }) => value === undefined)).toEqual([true, false]);
});
