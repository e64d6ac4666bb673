import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';
import { updateOfDeleted } from './update-of-deleted.ts';

/**
 * The status for an update of a deleted agent. The first requests about the agent meet a replica that does not know it every
 * second time. `keeps`: it can still be updated after it was deleted.
 */
async function statusAfterDeletion(laggingCount: number, keeps: boolean): Promise<number | undefined> {
  let exists = false;
  let count = 0;
  await using server = await localServer(({ method, body }) => {
    if (method === 'POST') {
      exists = true;
      return { status: 200, body: JSON.parse(body) as object };
    }
    const isLagging = (count += 1) <= laggingCount && count % 2 === 0;
    if (isLagging) return { status: 404, body: {} };
    if (method === 'PUT' && keeps) return { status: 200, body: JSON.parse(body) as object };
    const status = exists ? 200 : 404;
    if (method === 'DELETE') exists = false;
    return { status, body: {} };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const opened = openTestContext({ address: server.address, allow: 'write', ledgerFile, patienceSeconds: 3 });
  const run = createRun(requirement('agents.update.unknown-404'), opened.context, newTally());
  const exchange = await updateOfDeleted(run);
  await opened.close();
  return exchange?.response.status;
}

test('a 404 for a deletion of an agent that was read is no deletion', async () => {
  expect(await statusAfterDeletion(6, false)).toBe(404);
});

test('an agent that can be updated after its deletion is noticed', async () => {
  expect(await statusAfterDeletion(0, true)).toBe(200);
});
