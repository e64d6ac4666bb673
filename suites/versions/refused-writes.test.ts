import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Mismatch } from '../engine/conforms.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { refusedThenDeleted } from './refused-writes.ts';

/** A server on which a new version exists only for the second valid deletion. */
const laggingServer = (isDeletedByRefusal = false) => {
  const tries = new Map<string, number>();
  return localServer(({ method, url, headers }) => {
    if (method !== 'DELETE') return { body: {} };
    const isRefused = headers['svc-version'] === 'latest';
    const count = (tries.get(url) ?? 0) + (isRefused ? 0 : 1);
    tries.set(url, isRefused && isDeletedByRefusal ? -Infinity : count);
    if (isRefused) return { status: 400, body: {} };
    return { status: count > 1 ? 200 : 404, body: {} };
  });
};

const mismatchesOf = (address: string): Promise<Mismatch[][]> => {
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address, allow: 'write', ledgerFile });
  return refusedThenDeleted(run, 'deleteVolumeTemplateVersion', 'latest');
};

test('a resource that takes a moment to exist is not a mismatch', async () => {
  await using server = await laggingServer();
  expect(await mismatchesOf(server.address)).toEqual([[]]);
});

test('a refused deletion that takes effect is a mismatch', async () => {
  await using server = await laggingServer(true);
  expect(await mismatchesOf(server.address)).toMatchObject([[{ actual: expect.stringContaining('404') as string }]]);
});
