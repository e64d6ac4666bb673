import { appendFileSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from '../../suites/testing/local-server.ts';
import { openLedger } from '../../suites/target/ledger.ts';
import { testTarget } from '../../suites/testing/test-run.ts';
import { cleanUp, describeDurations } from './clean-up.ts';

const about = { run: 'r1', target: 'http://a/v0', pid: 1, host: 'h', startedAt: '2026-10-01T00:00:00Z' };

async function ledgerOf(...names: string[]): Promise<string> {
  const ledger = openLedger(path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson'), about);
  for (const name of names)
    await ledger.willCreate({
      created: 'createVpc',
      name,
      removal: { operation: 'deleteVpc', path: { vpcName: name } },
    });
  ledger.close();
  return ledger.file;
}

test('the resources of a run are removed, then its ledger', async () => {
  await using server = await localServer(() => ({}));
  const file = await ledgerOf('assay-r1-1', 'assay-r1-2');
  expect(await cleanUp(testTarget({ address: server.address }), file)).toEqual({
    done: ['Removed: assay-r1-2 (created by createVpc).', 'Removed: assay-r1-1 (created by createVpc).'],
    left: [],
    canRetry: false,
  });
  expect(server.received.map(({ url }) => url)).toEqual(['/v0/vpcs/assay-r1-2', '/v0/vpcs/assay-r1-1']);
  expect(existsSync(file)).toBe(false);
});

test('remaining resources are named, and the ledger is kept', async () => {
  await using server = await localServer(() => ({ status: 500 }));
  const file = await ledgerOf('assay-r1-1');
  expect((await cleanUp(testTarget({ address: server.address }), file)).left).toEqual([
    'Not removed: assay-r1-1 (created by createVpc), because deleteVpc returned status 500.',
  ]);
  expect(existsSync(file)).toBe(true);
});

test('resources that one attempt removed are not requested again by the next', async () => {
  await using server = await localServer(({ url }) => ({ status: url.endsWith('-2') ? 200 : 500 }));
  const file = await ledgerOf('assay-r1-1', 'assay-r1-2');
  await cleanUp(testTarget({ address: server.address }), file);
  await cleanUp(testTarget({ address: server.address }), file);
  const asked = server.received.map(({ url }) => url);
  expect(asked).toEqual(['/v0/vpcs/assay-r1-2', '/v0/vpcs/assay-r1-1', '/v0/vpcs/assay-r1-1']);
});

test('an interrupted clean-up removes what was created first, and counts the refused creates that it did not check', async () => {
  await using server = await localServer(({ url }) => ({ status: url.endsWith('-created') ? 200 : 404 }));
  const file = await ledgerOf('assay-r1-created');
  for (let index = 0; index < 20; index += 1) {
    const name = `assay-r1-${index}`;
    const removal = { operation: 'deleteVpc', path: { vpcName: name } };
    const lines = [
      { number: index + 2, created: 'createVpc', name, removal },
      { number: index + 2, status: 400 },
    ];
    appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
  const target = { ...testTarget({ address: server.address }), rate: 2 };
  const { done, left, canRetry } = await cleanUp(target, file, { interrupted: AbortSignal.abort() });
  expect([done, canRetry]).toEqual([['Removed: assay-r1-created (created by createVpc).'], true]);
  const unchecked = 21 - server.received.length;
  expect(unchecked).toBeGreaterThan(1);
  expect(left).toEqual([
    `Not checked: whether ${unchecked} refused creates created something nevertheless, because the run was interrupted.`,
  ]);
  // The sweep finds nothing of them, and then nothing is left.
  expect(await cleanUp(testTarget({ address: server.address }), file)).toEqual({ done: [], left: [], canRetry: false });
  expect([server.received.length, existsSync(file)]).toEqual([21, false]);
});

test('after an interruption, 404 does not mean removed if other creates and a removal were never sent', async () => {
  await using server = await localServer(() => ({ status: 404 }));
  const file = await ledgerOf();
  const creation = (number: number, name: string) => ({
    number,
    created: 'createVpc',
    name,
    removal: { operation: 'deleteVpc', path: { vpcName: name } },
  });
  const lines = [
    creation(1, 'assay-r1-1'),
    { number: 1, status: 200 },
    { number: 1, removing: true },
    { number: 1, kept: 404 },
    creation(2, 'assay-r1-2'),
    { number: 2, undone: true },
    { number: 1, removing: true },
    { number: 1, removing: false },
  ];
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(await cleanUp(testTarget({ address: server.address }), file, { isLate: true })).toEqual({
    done: [],
    left: [
      'Not removed: assay-r1-1 (created by createVpc), because deleteVpc returned status 404: it is already gone, or this target cannot remove it.',
    ],
    canRetry: false,
  });
});

test('a rejected credential is not tried on the remaining resources', async () => {
  await using server = await localServer(() => ({ status: 401 }));
  const file = await ledgerOf(...Array.from({ length: 9 }, (_, index) => `assay-r1-${index}`));
  const { left } = await cleanUp(testTarget({ address: server.address }), file);
  expect(server.received).toHaveLength(5);
  expect(left).toHaveLength(9);
  expect(left.at(-1)).toContain('SVC_ADMIN_TOKEN got status 401 5 times in a row');
});

test('resources that can never be removed are named by every attempt, until the ledger is deleted', async () => {
  await using server = await localServer(() => ({}));
  const file = await ledgerOf();
  writeFileSync(file, `${JSON.stringify({ number: 1, created: 'writeTree', name: 'assay-r1-1' })}\n`, { flag: 'a' });
  for (const _ of ['at the end of the run', 'in a sweep'])
    expect(await cleanUp(testTarget({ address: server.address }), file)).toEqual({
      done: [],
      left: ['Not removed: assay-r1-1 (created by writeTree), because the interface has no operation to remove it.'],
      canRetry: false,
    });
  expect(existsSync(file)).toBe(true);
});

test('a clean-up of more than two seconds is mentioned', () => {
  expect(describeDurations(20_140, 8900)).toBe(' Testing took 20.1 s, the clean-up 8.9 s.');
  expect(describeDurations(20_140, 2000)).toBe('');
});
