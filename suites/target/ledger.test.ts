import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from './local-server.ts';
import { openLedger, readLedger } from './ledger.ts';
import type { Creation } from './ledger.ts';
import { NotTried } from '../violation.ts';
import { openTestRun } from '../test-run.ts';

const newFile = async () => path.join(await mkdtemp(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
const agent = (name: string): Creation => ({
  created: 'createAgent',
  name,
  removal: { operation: 'deleteAgent', path: { agentName: name } },
});

test('a creation is on disk before its request arrives', async () => {
  const file = await newFile();
  const onArrival: string[] = [];
  await using server = await localServer(() => {
    onArrival.push(readFileSync(file, 'utf8'));
    return {};
  });
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile: file });
  await run.client.call('createAgent', { body: { metadata: { name: 'assay-test-1' }, spec: {} } });
  expect(onArrival[0]).toContain('"name":"assay-test-1"');
  expect(readLedger(file).creations).toEqual([{ ...agent('assay-test-1'), status: 200 }]);
});

test('a line that was cut off is passed over', async () => {
  const file = await newFile();
  const ledger = openLedger(file);
  ledger.willCreate(agent('assay-test-1'));
  ledger.close();
  appendFileSync(file, '{"created":"createAg');
  expect(readLedger(file).creations).toEqual([agent('assay-test-1')]);
});

const vpc = (name: string): Creation => ({
  created: 'createVpc',
  name,
  removal: { operation: 'deleteVpc', path: { vpcName: name } },
});

test('no more is created than the budget allows, where the target has removed nothing of the kind', async () => {
  const ledger = openLedger(await newFile(), { budget: 2 });
  ledger.willCreate(vpc('a')).answered(200);
  ledger.willCreate(vpc('b')).answered(400); // refused: costs nothing
  expect(ledger.mayCreate('createVpc')).toBe(1);
  ledger.willCreate(vpc('c')).answered(200);
  expect(() => ledger.willCreate(vpc('d'))).toThrow(NotTried);
  ledger.close();
});

test('what the target has removed once costs nothing from then on', async () => {
  const ledger = openLedger(await newFile(), { budget: 1 });
  ledger.willCreate(vpc('a')).answered(200);
  ledger.removed('deleteVpc', { vpcName: 'a' });
  for (const name of ['b', 'c', 'd']) ledger.willCreate(vpc(name)).answered(200);
  expect(ledger.mayCreate('createVpc')).toBe(Infinity);
  ledger.close();
  expect(readLedger(ledger.file).creations.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
});

test('a change is read back with the call that undoes it', async () => {
  const ledger = openLedger(await newFile());
  const change = { changed: 'updateAgent', path: { agentName: 'demo-agent' }, body: { spec: {} } } as const;
  ledger.willChange(change);
  ledger.close();
  expect(readLedger(ledger.file).changes).toEqual([change]);
});
