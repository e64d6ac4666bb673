import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { openTestRun, testExchange } from '../testing/test-run.ts';
import { createResponseCache } from './response-cache.ts';

const query = { startTime: '2026-10-01T00:00:00Z', endTime: '2026-10-02T00:00:00Z' };

test('the same read of one caller is sent once, also if it is needed twice at the same time', async () => {
  await using server = await localServer(() => ({ body: { values: [] } }));
  const run = openTestRun({ address: server.address });
  const read = () => run.client.call('listMetricsResourceTypes', { query });
  const [one, other] = await Promise.all([read(), read()]);
  expect([one === other, (await read()) === one, server.received.length]).toEqual([true, true, 1]);
});

test('other queries, headers and callers are sent', async () => {
  await using server = await localServer(() => ({ body: { values: [] } }));
  const run = openTestRun({ address: server.address });
  await run.client.call('listMetricsResourceTypes', { query });
  await run.client.call('listMetricsResourceTypes', { query: { ...query, endTime: '2026-10-03T00:00:00Z' } });
  await run.client.call('listMetricsResourceTypes', { query, headers: { Authorization: undefined } });
  await run.client.call('listMetricsResourceTypes', { query, headers: {} });
  await run.as('none').call('listMetricsResourceTypes', { query });
  expect(server.received).toHaveLength(5);
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
