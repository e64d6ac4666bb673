import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { openLedger } from './ledger.ts';
import type { Creation, LedgerOptions } from './ledger.ts';
import { openUndoNotes, readLedger, UnreadableLedger, wasRefused } from './read-ledger.ts';
import { NotTried } from './violation.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { openTestContext, openTestRun } from '../testing/test-run.ts';

const about = { run: 'test', target: 'http://a/v0', pid: 1, host: 'h', startedAt: '2026-10-01T00:00:00Z' };
const newFile = async () => path.join(await mkdtemp(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
const newLedger = async (options?: LedgerOptions) => openLedger(await newFile(), about, options);
const agent = (name: string): Creation => ({
  created: 'createAgent',
  name,
  removal: { operation: 'deleteAgent', path: { agentName: name } },
});

test('a creation is written to disk before its request is sent', async () => {
  const file = await newFile();
  const onArrival: string[] = [];
  await using server = await localServer(() => {
    onArrival.push(readFileSync(file, 'utf8'));
    return {};
  });
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile: file });
  await run.client.call('createAgent', { body: { metadata: { name: 'assay-test-1' }, spec: {} } });
  expect(onArrival[0]).toContain('"name":"assay-test-1"');
  expect(readLedger(file).creations).toEqual([{ number: 1, ...agent('assay-test-1'), status: 200 }]);
});

test('a creation whose request was never sent leaves nothing to remove', async () => {
  const ledger = await newLedger();
  (await ledger.willCreate(agent('assay-test-1'))).cancel();
  await ledger.willCreate(agent('assay-test-2'));
  ledger.close();
  const { creations, removals } = readLedger(ledger.file);
  expect(creations).toEqual([{ number: 2, ...agent('assay-test-2') }]);
  expect([...removals]).toEqual([]); // nothing was removed
});

test('the first line identifies the run, and only the owner may read the file', async () => {
  const { file } = await newLedger();
  expect(readLedger(file).about).toMatchObject(about);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('an existing ledger is never overwritten', async () => {
  const { file } = await newLedger();
  expect(() => openLedger(file, about)).toThrow('EEXIST');
});

test.each(['', '{}\n', 'no JSON\n', '{"ledger":2}\n'])('%j is not a ledger', async (text) => {
  const file = await newFile();
  writeFileSync(file, text);
  expect(() => readLedger(file)).toThrow(UnreadableLedger);
});

test('an incomplete last line is ignored', async () => {
  const ledger = await newLedger();
  await ledger.willCreate(agent('assay-test-1'));
  await ledger.willCreate(agent('assay-test-2'));
  ledger.close();
  appendFileSync(ledger.file, '{"created":"createAg');
  openUndoNotes(ledger.file).undone(2);
  expect(readLedger(ledger.file).creations).toEqual([{ number: 1, ...agent('assay-test-1') }]);
});

const vpc = (name: string): Creation => ({
  created: 'createVpc',
  name,
  removal: { operation: 'deleteVpc', path: { vpcName: name } },
});

test('the budget limits creates if the target has not removed such a resource', async () => {
  const ledger = await newLedger({ budget: 2 });
  (await ledger.willCreate(vpc('a'))).complete(200);
  (await ledger.willCreate(vpc('b'))).complete(400); // refused, so it does not count
  expect(ledger.mayCreate('createVpc')).toBe(1);
  (await ledger.willCreate(vpc('c'))).complete(200);
  await expect(ledger.willCreate(vpc('d'))).rejects.toThrow(NotTried);
  ledger.close();
});

test('two creates of one name count once', async () => {
  const ledger = await newLedger({ budget: 1 });
  (await ledger.willCreate(vpc('a'))).complete(200);
  (await ledger.willCreate(vpc('a'))).complete(200); // with the first one
  expect(ledger.mayCreate('createVpc')).toBe(0);
  await expect(ledger.willCreate(vpc('b'))).rejects.toThrow(NotTried);
  ledger.close();
});

test('every create without a name counts, even if the target can remove such resources', async () => {
  const ledger = await newLedger({ budget: 2 });
  (await ledger.willCreate(vpc('a'))).complete(200);
  ledger.willRemove('deleteVpc', { vpcName: 'a' })?.complete(204);
  (await ledger.willCreate({ created: 'createVpc' })).complete(200, { created: 'createVpc' });
  (await ledger.willCreate({ created: 'createVpc' })).complete(400); // refused, so it does not count
  (await ledger.willCreate({ created: 'createVpc' })).complete(200, vpc('made-up')); // can be found
  (await ledger.willCreate({ created: 'createVpc' })).complete(200, { created: 'createVpc' });
  await expect(ledger.willCreate({ created: 'createVpc' })).rejects.toThrow(NotTried);
  ledger.close();
  expect(readLedger(ledger.file).creations.map(({ name, removal }) => [name, removal?.path])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ['made-up', { vpcName: 'made-up' }],
    [undefined, undefined],
  ]);
});

test('a response with an unknown effect counts like a successful one', async () => {
  const ledger = await newLedger({ budget: 2 });
  (await ledger.willCreate(vpc('a'))).complete(504);
  (await ledger.willCreate(vpc('b'))).giveUp();
  expect(ledger.mayCreate('createVpc')).toBe(0);
  ledger.close();
});

test('a create waits for others without a response if the budget would not allow all of them', async () => {
  const ledger = await newLedger({ budget: 1 });
  const first = await ledger.willCreate(vpc('a'));
  expect(ledger.mayCreate('createVpc')).toBe(1);
  const others = [ledger.willCreate(vpc('b')), ledger.willCreate(vpc('c'))];
  const recorded = () => readLedger(ledger.file).creations.map(({ name }) => name);
  expect(recorded()).toEqual(['a']);
  first.complete(400);
  const second = await others[0];
  expect(recorded()).toEqual(['a', 'b']);
  second?.complete(200);
  await expect(others[1]).rejects.toThrow(NotTried);
  ledger.close();
});

test('a create does not wait for others if what exists already uses up the budget', async () => {
  const ledger = await newLedger({ budget: 1 });
  (await ledger.willCreate(vpc('a'))).complete(200);
  ledger.mightCreate(agent('pending'));
  await expect(ledger.willCreate(vpc('b'))).rejects.toThrow(NotTried);
  ledger.close();
});

test.each([
  { end: 'cancel', second: 'fulfilled' },
  { end: 'giveUp', second: 'rejected' },
] as const)('after $end, a create that waits is $second', async ({ end, second }) => {
  const ledger = await newLedger({ budget: 1 });
  const first = await ledger.willCreate(vpc('a'));
  const waiting = Promise.allSettled([ledger.willCreate(vpc('b'))]);
  first[end]();
  expect(await waiting).toMatchObject([{ status: second }]);
  ledger.close();
});

test('an unexpected creation is recorded, unless the resource exists or the request is refused', async () => {
  const ledger = await newLedger({ budget: 0 });
  ledger.mightCreate(agent('refused'))?.complete(404);
  ledger.mightCreate(agent('born'))?.complete(200);
  expect(ledger.mightCreate(agent('born'))).toBeUndefined();
  ledger.mightCreate(agent('unknown'));
  ledger.close();
  const { creations, removals } = readLedger(ledger.file);
  expect(creations.map(({ name, status }) => [name, status])).toEqual([
    ['born', 200],
    ['unknown', undefined],
  ]);
  expect([...removals]).toEqual([]); // nothing was removed
});

test('a kind that the target has removed once no longer counts', async () => {
  const ledger = await newLedger({ budget: 1 });
  (await ledger.willCreate(vpc('a'))).complete(200);
  ledger.willRemove('deleteVpc', { vpcName: 'a' })?.complete(204);
  for (const name of ['b', 'c', 'd']) (await ledger.willCreate(vpc(name))).complete(200);
  expect(ledger.mayCreate('createVpc')).toBe(Infinity);
  ledger.close();
  expect(readLedger(ledger.file).creations.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
});

test('a pending removal differs from a completed one', async () => {
  const ledger = await newLedger();
  for (const name of ['a', 'b']) (await ledger.willCreate(vpc(name))).complete(200);
  ledger.willRemove('deleteVpc', { vpcName: 'a' });
  ledger.willRemove('deleteVpc', { vpcName: 'b' })?.complete(405);
  ledger.close();
  expect(readLedger(ledger.file).creations.map(({ removing }) => removing)).toEqual([true, undefined]);
});

test('a removal that was not sent after all is not pending, and what the target removed proves that it can', async () => {
  const ledger = await newLedger();
  for (const name of ['a', 'b']) (await ledger.willCreate(vpc(name))).complete(200);
  ledger.close();
  const notes = openUndoNotes(ledger.file);
  const removals = () => [...readLedger(ledger.file).removals];
  notes.removing(1);
  notes.unsent(1);
  expect([readLedger(ledger.file).creations[0], removals()]).toEqual([{ number: 1, status: 200, ...vpc('a') }, []]);
  notes.removing(2);
  notes.undone(2);
  expect(removals()).toEqual(['deleteVpc']);
});

test('a removal of a resource that the run did not create is not recorded', async () => {
  const ledger = await newLedger();
  expect(ledger.willRemove('deleteVpc', { vpcName: 'demo' })).toBeUndefined();
  ledger.close();
});

test.each([
  ['with the call that undoes it', { body: { spec: {} } }],
  ['without it if the previous state could not be read', {}],
])('a change is read %s', async (_, restoring) => {
  const ledger = await newLedger();
  const change = { changed: 'updateAgent', path: { agentName: 'demo-agent' }, ...restoring } as const;
  ledger.willChange(change);
  ledger.close();
  expect(readLedger(ledger.file).changes).toEqual([{ number: 1, ...change }]);
});

const change = { changed: 'updateAgent', path: { agentName: 'demo-agent' } } as const;

test.each([
  { statuses: [404, 405, 501, 401, 403], isLeft: false },
  { statuses: [404, 200], isLeft: true },
  { statuses: [404, 500], isLeft: true },
  { statuses: [404, undefined], isLeft: true },
  { statuses: [400], isLeft: true },
])('a change whose updates got $statuses is to be undone: $isLeft', async ({ statuses, isLeft }) => {
  const ledger = await newLedger();
  ledger.willChange(change);
  expect(ledger.willUpdate('updateAgent', { agentName: 'other' })).toBeUndefined();
  for (const status of statuses) {
    const pending = ledger.willUpdate('updateAgent', change.path);
    if (status !== undefined) pending?.complete(status);
  }
  ledger.close();
  expect(readLedger(ledger.file).changes.length > 0).toBe(isLeft);
});

test('a change that a target without the operation has refused is not undone', async () => {
  await using server = await localServer(() => ({ status: 404 }));
  const ledgerFile = await newFile();
  const { context, close } = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const run = createRun(requirement('agents.update.round-trip'), context, newTally());
  run.willChange(change);
  await run.client.call('updateAgent', { path: change.path, body: { metadata: { name: 'demo-agent' }, spec: {} } });
  await close();
  expect(readLedger(ledgerFile).changes).toEqual([]);
});

test.each([501, 405, 404])('a create that got %d has created nothing', async (status) => {
  const ledger = await newLedger();
  (await ledger.willCreate(agent('assay-test-1'))).complete(status);
  ledger.close();
  expect(readLedger(ledger.file).creations.map(wasRefused)).toEqual([true]);
});
