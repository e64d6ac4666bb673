import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from './local-server.ts';
import { openLedger, readLedger, removeCreated } from './ledger.ts';
import type { LedgerEntry } from './ledger.ts';
import { openTestRun } from '../test-run.ts';

const newFile = async () => path.join(await mkdtemp(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
const agent = (name: string): LedgerEntry => ({
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
  expect(readLedger(file)).toEqual([agent('assay-test-1')]);
});

test('what was created last is removed first', async () => {
  await using server = await localServer(() => ({}));
  const run = openTestRun({ address: server.address });
  expect(await removeCreated([agent('assay-test-1'), agent('assay-test-2')], 'assay-test-', run.client)).toEqual([]);
  expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'DELETE /v0/agents/assay-test-2',
    'DELETE /v0/agents/assay-test-1',
  ]);
});

test('a name without the prefix of the run is never removed, and is named', async () => {
  await using server = await localServer(() => ({}));
  const run = openTestRun({ address: server.address });
  const [left] = await removeCreated([agent('demo-agent')], 'assay-test-', run.client);
  expect(left).toMatchObject({ entry: { name: 'demo-agent' }, why: expect.stringContaining('assay-test-') as string });
  expect(server.seen).toEqual([]);
});

test('what the target will not remove is named with its answer', async () => {
  await using server = await localServer(() => ({ status: 405 }));
  const run = openTestRun({ address: server.address });
  const [left] = await removeCreated([agent('assay-test-1')], 'assay-test-', run.client);
  expect(left?.why).toContain('405');
});

test('a line that was cut off is passed over', async () => {
  const file = await newFile();
  const ledger = openLedger(file);
  ledger.created(agent('assay-test-1'));
  ledger.close();
  appendFileSync(file, '{"created":"createAg');
  expect(readLedger(file)).toEqual([agent('assay-test-1')]);
});
