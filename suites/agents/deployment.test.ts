import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { waitedSecondsFor } from '../target/eventually.ts';
import { NotTried } from '../target/violation.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { checkDeployments } from './deployment.ts';
import type { DeployedUpdate } from './deployment.ts';

/** A server that deploys at once and keeps the newest event record. */
const agentServer = (eventOf: (updatedAt: Date) => object, isReadable = true) => {
  let updatedAt = new Date();
  let sent = { metadata: {}, spec: {} };
  return localServer(({ method, body }) => {
    if (method === 'PUT') {
      updatedAt = new Date();
      sent = JSON.parse(body) as typeof sent;
    } else if (!isReadable) return { status: 404, body: { error: 'not found', code: 404 } };
    const metadata = { ...sent.metadata, name: 'demo-agent', workspace: 'demo' };
    return { body: { metadata, spec: sent.spec, status: 'DEPLOYED', events: [eventOf(updatedAt)] } };
  });
};

async function judge(
  address: string,
  updates: readonly DeployedUpdate[] = [{ spec: { enabled: true } }, { spec: { enabled: true } }],
  patienceSeconds = 0.1,
): Promise<Mismatch[]> {
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const rule = 'agents.update.triggers-deployment';
  const ownRun = openTestRun({ address, allow: 'write', ledgerFile, rule });
  const run: Run = { ...ownRun, patienceSeconds };
  return checkDeployments(run, { name: 'demo-agent', generation: 'mk2' }, updates);
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

const labelled = [{ spec: {}, metadata: { labels: { a: 'b' } } }];
const START = new Date().toISOString();

test.each<[string, (updatedAt: Date) => object]>([
  ['in whole seconds', (at) => ({ type: 'deploy', revision: 'r1', time: at.toUTCString() })],
  ['only by a revision of the spec', () => ({ type: 'deploy', revision: 'r1' })],
])('an update of labels may be deployed with event records that show it %s', async (_, eventOf) => {
  await using server = await agentServer(eventOf);
  expect(await judge(server.address, labelled)).toEqual([]);
});

test('an update of labels without a new event record is a mismatch', async () => {
  await using server = await agentServer(() => ({ type: 'deploy', revision: 'r1', time: START }));
  expect(await judge(server.address, labelled)).toHaveLength(1);
});

test('the failure of an agent that cannot be read says how long its updates were repeated', async () => {
  await using server = await agentServer(() => ({ type: 'deploy', revision: 'r1' }), false);
  const [first] = await judge(server.address, [{ spec: { enabled: true } }], 2);
  expect(first && waitedSecondsFor(first.exchange)).toBeGreaterThanOrEqual(2);
});

test('an update of labels may be deployed late, together with others', async () => {
  let deployedAt = new Date();
  await using server = await agentServer((updatedAt) => {
    if (Date.now() - updatedAt.getTime() > 1500) deployedAt = updatedAt;
    return { type: 'deploy', revision: 'r1', time: deployedAt.toISOString() };
  });
  expect(await judge(server.address, labelled, 10)).toEqual([]);
});
