import { expect, test } from 'vitest';
import { openTestRun } from '../test-run.ts';
import type { LedgerEntry } from './ledger.ts';
import { localServer } from './local-server.ts';
import { undo } from './undo.ts';

const agent = (name: string, status?: number): LedgerEntry => ({
  created: 'createAgent',
  name,
  removal: { operation: 'deleteAgent', path: { agentName: name } },
  ...(status === undefined ? {} : { status }),
});

async function undone(status: number, ...creations: LedgerEntry[]) {
  await using server = await localServer(() => ({ status }));
  const run = openTestRun({ address: server.address });
  const left = await undo({ creations, changes: [] }, 'assay-test-', run.client);
  return { left, asked: server.seen.map(({ method, url }) => `${method} ${url}`) };
}

test('what was created last is removed first', async () => {
  expect(await undone(200, agent('assay-test-1'), agent('assay-test-2', 200))).toEqual({
    left: [],
    asked: ['DELETE /v0/agents/assay-test-2', 'DELETE /v0/agents/assay-test-1'],
  });
});

test('a name without the prefix of the run is never removed, and is named', async () => {
  const { left, asked } = await undone(200, agent('demo-agent'));
  expect(left).toMatchObject([{ what: { name: 'demo-agent' }, why: expect.stringContaining('assay-test-') as string }]);
  expect(asked).toEqual([]);
});

test('what the target will not remove is named with its answer', async () => {
  expect((await undone(405, agent('assay-test-1'))).left[0]?.why).toContain('405');
});

test('not found is gone, unless the target had said that it created it', async () => {
  expect((await undone(404, agent('assay-test-1'))).left).toEqual([]);
  expect((await undone(404, agent('assay-test-1', 400))).left).toEqual([]);
  expect((await undone(404, agent('assay-test-1', 201))).left).toHaveLength(1);
});

test('what was changed is put back', async () => {
  await using server = await localServer(() => ({}));
  const run = openTestRun({ address: server.address, allow: 'write' });
  const body = { metadata: { name: 'demo-agent' }, spec: { enabled: true } };
  const change = { changed: 'updateAgent', path: { agentName: 'demo-agent' }, body } as const;
  expect(await undo({ creations: [], changes: [change] }, 'assay-test-', run.client)).toEqual([]);
  expect(server.seen.map(({ method, url, body: sent }) => [method, url, JSON.parse(sent)])).toEqual([
    ['PUT', '/v0/agents/demo-agent', body],
  ]);
});
