import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import type { OperationId } from '../../spec/generated/types.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { CallInput } from '../target/request-types.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun, testExchange } from '../testing/test-run.ts';
import { createResponseCache } from './response-cache.ts';
import type { Run } from './run.ts';

const query = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-10-02T00:00:00Z' };

test('the same read of one caller is sent once, also if it is needed twice at the same time', async () => {
  await using server = await localServer(() => ({ body: { values: [] } }));
  const run = openTestRun({ address: server.address });
  const read = () => run.client.call('listMetricsResourceTypes', { query });
  const [one, other] = await Promise.all([read(), read()]);
  expect([one === other, (await read()) === one, server.received.length]).toEqual([true, true, 1]);
});

test.each([
  ['a cursor is sent again after half a minute', 'next', 2],
  ['no cursor is shared for the whole run', '', 1],
])('a read whose response has %s', async (_, nextCursor, count) => {
  await using server = await localServer(() => ({ body: { meta: { hasMore: nextCursor !== '', nextCursor } } }));
  const run = openTestRun({ address: server.address });
  const { sentAt } = await run.client.call('getAccountMetrics', { query });
  using now = vi.spyOn(Date, 'now').mockReturnValue(sentAt! + 31_000);
  await run.client.call('getAccountMetrics', { query });
  expect(now).toHaveBeenCalled();
  expect(server.received).toHaveLength(count);
});

test('other queries, headers and callers are sent', async () => {
  await using server = await localServer(() => ({ body: { values: [] } }));
  const run = openTestRun({ address: server.address });
  await run.client.call('listMetricsResourceTypes', { query });
  await run.client.call('listMetricsResourceTypes', { query: { ...query, endTime: '2026-10-03T00:00:00Z' } });
  await run.client.call('listMetricsResourceTypes', { query, headers: { Authorization: undefined } });
  await run.as('none').call('listMetricsResourceTypes', { query });
  expect(server.received).toHaveLength(4);
});

test('inputs that are sent as the same request share one', async () => {
  await using server = await localServer(() => ({ body: { values: [] } }));
  const run = openTestRun({ address: server.address });
  const accountId = run.target.account!;
  const inputs = [
    { query },
    { query, headers: {} },
    { query, path: { accountId } },
    { query: { ...query, limit: undefined } },
  ];
  for (const input of inputs) await run.client.call('listMetricsResourceTypes', input);
  await run.client.call('getAccountMetrics', { query: { ...query, limit: 1 } });
  await run.client.call('getAccountMetrics', { query: { ...query, limit: '1' } });
  expect(server.received).toHaveLength(2);
});

const alwaysRefused = ({ unknownName }: Run): readonly (readonly [OperationId, CallInput])[] => [
  ['updateAgent', { path: { agentName: unknownName }, body: { spec: {} } }],
  ['deleteVolumeTemplateVersion', { path: { volumeTemplateName: 'known', versionName: unknownName } }],
  ['createVpc', { body: {} }],
];

/** A run whose management API responds with this status to each of these writes, which are sent twice. */
async function sentTwice(status: number, rule?: RequirementId) {
  const server = await localServer(() => ({ status, body: {} }));
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile, ...(rule && { rule }) });
  for (const [id, input] of [...alwaysRefused(run), ...alwaysRefused(run)]) await run.client.call(id, input);
  return { run, server };
}

test('a write that is always refused is sent once per body and caller', async () => {
  const { run, server } = await sentTwice(404);
  await using _ = server;
  expect(server.received).toHaveLength(3);
  await run.client.call('updateAgent', { path: { agentName: run.unknownName }, body: {} });
  await run.as('none').call('createVpc', { body: {} });
  expect(server.received).toHaveLength(5);
});

test.each<[why: string, status: number, rule?: RequirementId]>([
  ['it is accepted', 200],
  ['the server fails', 500],
  ['the rule needs its own requests', 404, 'errors.robustness.never-5xx'],
])('such a write is sent again if %s', async (_why, status, rule) => {
  const { server } = await sentTwice(status, rule);
  await using _ = server;
  expect(server.received).toHaveLength(6);
});

test('other writes are sent each time, even if they are refused', async () => {
  await using server = await localServer(() => ({ status: 400, body: {} }));
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile });
  const update = { path: { agentName: 'demo-agent' }, body: {} };
  const workload = { path: { agent: run.unknownName }, body: {} };
  for (const _ of ['first', 'second']) {
    await run.client.call('updateAgent', update);
    await run.client.call('queryAgent', workload);
  }
  expect(server.received).toHaveLength(4);
});

test('a server error is not kept', async () => {
  let status = 503;
  await using server = await localServer(() => ({ status, body: {} }));
  const run = openTestRun({ address: server.address });
  await run.client.call('listAccounts');
  status = 200;
  expect((await run.client.call('listAccounts')).response.status).toBe(200);
});

test('a rule about repeated requests sends its own', async () => {
  await using server = await localServer(() => ({ body: { values: [] } }));
  const run = openTestRun({ address: server.address, rule: 'metrics.sums.past-is-stable' });
  await run.client.call('listMetricsResourceTypes', { query });
  await run.client.call('listMetricsResourceTypes', { query });
  expect(server.received).toHaveLength(2);
});

test('if cached bodies are too long together, those that were used least recently are sent again', async () => {
  const cache = createResponseCache(25);
  const sent: string[] = [];
  const get = (key: string) =>
    cache.get(key, async () => {
      sent.push(key);
      return { ...testExchange, response: { ...testExchange.response, text: 'x'.repeat(10) } };
    });
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await get(key);
  expect(sent).toEqual(['a', 'b', 'c', 'b']);
});
