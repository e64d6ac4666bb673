import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { everyWrite } from './every-request.ts';

/** A server on which agents can be created and updated, but not directly after an update. It refuses everything else. */
const busyServer = (status: number) => {
  let isBusy = false;
  return localServer(({ method, url }) => {
    if (method === 'POST' && url === '/v0/agents') return { body: {} };
    if (method !== 'PUT') return { status: 403, body: {} };
    isBusy = !isBusy;
    return isBusy ? { body: {} } : { status, body: {} };
  });
};

test.each([409, 423])('an update that gets %i is sent again, because the agent may be busy', async (status) => {
  await using server = await busyServer(status);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const rule = 'auth.headers.brand-authorization-accepted-on-every-api';
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile, rule });
  const update = (await everyWrite(run)).find(({ id }) => id === 'updateAgent');
  const statuses = [await update?.send(run.client), await update?.send(run.client)].map(
    (sent) => sent?.response.status,
  );
  expect(statuses).toEqual([200, 200]);
});
