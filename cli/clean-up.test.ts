import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from '../suites/target/local-server.ts';
import { openLedger } from '../suites/target/ledger.ts';
import { testTarget } from '../suites/test-run.ts';
import { cleanUp } from './clean-up.ts';

function ledgerOf(...names: string[]): string {
  const ledger = openLedger(path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson'));
  for (const name of names)
    ledger.willCreate({ created: 'createVpc', name, removal: { operation: 'deleteVpc', path: { vpcName: name } } });
  ledger.close();
  return ledger.file;
}

const settings = (address: string, ledgerFile: string) => ({
  target: testTarget({ address, allow: 'write' }),
  seed: 1,
  runs: 1,
  runId: 'r1',
  ledgerFile,
});

test('what a run created is removed, and its ledger then goes', async () => {
  await using server = await localServer(() => ({}));
  const file = ledgerOf('assay-r1-1', 'assay-r1-2');
  expect(await cleanUp(settings(server.address, file))).toEqual([]);
  expect(server.seen.map(({ url }) => url)).toEqual(['/v0/vpcs/assay-r1-2', '/v0/vpcs/assay-r1-1']);
  expect(existsSync(file)).toBe(false);
});

test('what is still there is named, and the ledger stays', async () => {
  await using server = await localServer(() => ({ status: 500 }));
  const file = ledgerOf('assay-r1-1');
  expect(await cleanUp(settings(server.address, file))).toEqual([
    'Not removed: assay-r1-1 (made by createVpc), because deleteVpc was answered 500.',
  ]);
  expect(existsSync(file)).toBe(true);
});
