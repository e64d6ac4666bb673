import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { NotTried } from '../../target/violation.ts';
import { unauthorizedMismatches, updatableAgent } from './agent-updates.ts';

/** A server that returns 409 for updates without a credential, and optionally for all others after the first one. */
const busyServer = (isBusyForAll: boolean) => {
  let accepted = 0;
  return localServer(({ method, headers }) => {
    if (method !== 'PUT') return { body: { spec: {} } };
    const isBusy = headers.authorization === undefined || (isBusyForAll && accepted > 0);
    accepted += isBusy ? 0 : 1;
    return isBusy ? { status: 409, body: {} } : { body: {} };
  });
};

async function judge(address: string): Promise<Mismatch[]> {
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const rule = 'auth.update-agent.missing-credential-401';
  const ownRun = openTestRun({ address, allow: 'write', ledgerFile, rule });
  const run: Run = { ...ownRun, patienceSeconds: 0 };
  await updatableAgent(run);
  const input = { path: { agentName: 'demo-agent' }, body: {} };
  return unauthorizedMismatches(run, 401, () => run.as('none').call('updateAgent', input));
}

test('a refusal of an agent that is busy for every caller is not judged', async () => {
  await using server = await busyServer(true);
  await expect(judge(server.address)).rejects.toThrow(NotTried);
});

test('a conflict for a caller without a credential only is a mismatch', async () => {
  await using server = await busyServer(false);
  expect(await judge(server.address)).toMatchObject([{ actual: expect.stringContaining('409') as string }]);
});
