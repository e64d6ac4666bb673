import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { NotTried } from '../target/violation.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { checkDeployments } from './deployment.ts';

/** A server that deploys at once and keeps the newest event record. */
const agentServer = (eventOf: (updatedAt: Date) => object) => {
  let updatedAt = new Date();
  return localServer(({ method }) => {
    if (method === 'PUT') updatedAt = new Date();
    const metadata = { name: 'demo-agent', workspace: 'demo' };
    return { body: { metadata, spec: {}, status: 'DEPLOYED', events: [eventOf(updatedAt)] } };
  });
};

async function judge(address: string): Promise<Mismatch[]> {
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const rule = 'agents.update.triggers-deployment';
  const ownRun = openTestRun({ address, allow: 'write', ledgerFile, rule });
  const run: Run = { ...ownRun, patienceSeconds: 0.1 };
  return checkDeployments(run, { name: 'demo-agent', generation: 'mk2' }, [{ enabled: true }, { enabled: true }]);
}

test('deployments are distinguished by the seconds of their event records', async () => {
  await using server = await agentServer((at) => ({ type: 'deploy', time: at.toUTCString() }));
  expect(await judge(server.address)).toEqual([]);
});

test('event records without revision and time do not distinguish deployments', async () => {
  await using server = await agentServer(() => ({ type: 'deploy', status: 'DEPLOYED' }));
  await expect(judge(server.address)).rejects.toThrow(NotTried);
});

test('the event records of the previous deployment are a mismatch', async () => {
  await using server = await agentServer(() => ({ type: 'deploy', revision: 'r1' }));
  expect(await judge(server.address)).toHaveLength(2);
});
