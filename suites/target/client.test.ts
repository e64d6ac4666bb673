import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import { openTestRun, testTarget } from '../testing/test-run.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { openTestContext } from '../testing/test-run.ts';
import { NotTried } from './violation.ts';
import { localServer } from '../testing/local-server.ts';
import { HarnessError } from './transport.ts';

const rule = requirement('metrics.group-by.at-most-three');

test('account and workspace come from the target, and values are percent-encoded', async () => {
  await using server = await localServer(() => ({}));
  const { client } = openTestRun({ address: server.address, allow: 'write' });
  await client.call('getAccountMetrics', { query: { groupBy: 'a,b c', none: undefined, limit: 3 } });
  await client.call('queryAgent', { path: { agent: 'a/b?c' }, body: { inputs: 'x' } });
  await client.call('writeTree', { path: { path: 'app/sub dir/%' }, body: { files: {} } });
  expect(server.received.map(({ url }) => url)).toEqual([
    '/v0/accounts/acc-1/metrics?groupBy=a%2Cb%20c&limit=3',
    '/demo/agents/a%2Fb%3Fc',
    '/filesystem/tree/app/sub%20dir/%25',
  ]);
});

test('a query may be a list of pairs, to repeat a parameter', async () => {
  await using server = await localServer(() => ({}));
  await openTestRun({ address: server.address }).client.call('getAccountMetrics', {
    query: [
      ['limit', '1'],
      ['limit', '2'],
    ],
  });
  expect(server.received[0]?.url).toBe('/v0/accounts/acc-1/metrics?limit=1&limit=2');
});

test('a header replaces the default in any letter case and keeps its spelling; undefined removes it', async () => {
  await using server = await localServer(() => ({}));
  const { client } = openTestRun({ address: server.address });
  await client.call('listAccounts', {
    headers: { aUTHORIZATION: 'Bearer other', accept: undefined, 'sVC-version': ['a', 'b'] },
  });
  const [received] = server.received;
  expect(received?.headers).toMatchObject({ authorization: 'Bearer other', 'svc-version': 'a, b' });
  expect(received?.headers.accept).toBeUndefined();
  expect(received?.rawHeaders).toEqual(expect.arrayContaining(['aUTHORIZATION', 'sVC-version']));
});

test('no version header is sent by default', async () => {
  await using server = await localServer(() => ({}));
  await openTestRun({ address: server.address }).client.call('listAccounts');
  expect(server.received[0]?.headers).not.toHaveProperty('svc-version');
});

test('creates carry the workspace header with any credential, reads do not', async () => {
  await using server = await localServer(() => ({}));
  const { credentials } = testTarget({ address: '' });
  const run = openTestRun({
    address: server.address,
    allow: 'write',
    ledgerFile: path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson'),
    target: {
      credentials: {
        ...credentials,
        apiKey: { value: 'key', name: 'SVC_API_KEY' },
        member: { value: 'e30.e30.c2ln', name: 'SVC_MEMBER_TOKEN' },
      },
    },
  });
  await run.as('apiKey').call('createVpc', { body: {} });
  await run.as('admin').call('createVpc', { body: {} });
  await run.as('apiKey').call('listAccounts');
  await run.as('member').call('createVpc', { body: {} });
  expect(server.received.map(({ headers }) => headers['x-svc-workspace'])).toEqual(['demo', 'demo', undefined, 'demo']);
});

test('none sends no credential, and a token is sent unchanged', async () => {
  await using server = await localServer(() => ({}));
  const run = openTestRun({ address: server.address });
  await run.as('none').call('listAccounts');
  await run.as({ token: 'made up' }).call('listAccounts');
  expect(server.received.map(({ headers }) => headers.authorization)).toEqual([undefined, 'Bearer made up']);
});

test('send adds only the credential', async () => {
  await using server = await localServer(() => ({ body: 'no json' }));
  const exchange = await openTestRun({ address: server.address, allow: 'write' }).client.send({
    surface: 'management',
    method: 'PUT',
    path: '/agents/../x',
    body: new Uint8Array([0xff, 0x00]),
  });
  expect(server.received[0]).toMatchObject({ method: 'PUT', url: '/v0/agents/../x' });
  expect(server.received[0]?.headers).not.toHaveProperty('content-type');
  expect(exchange.request).toMatchObject({ body: '\u00ff\u0000', bytes: true });
  expect(exchange.response.json).toBeUndefined();
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('a read-only run sends no %s that could write', async (method) => {
  await using server = await localServer(() => ({}));
  const { client } = openTestRun({ address: server.address });
  for (const surface of ['management', 'sandbox'] as const)
    await expect(client.send({ surface, method, path: '/x', body: '' })).rejects.toBeInstanceOf(NotTried);
  const executions = { surface: 'host', method, path: '/demo/jobs/demo-job/executions?x=1', body: '' } as const;
  await expect(client.send(executions)).rejects.toBeInstanceOf(NotTried);
  await client.send({ surface: 'host', method, path: '/oauth/token', body: '' });
  await client.send({ surface: 'sandbox', method, path: '/mcp', body: '' });
  await client.send({ surface: 'inference', method, path: '/demo/agents/a', body: '' });
  expect(server.received.map(({ url }) => url)).toEqual(['/oauth/token', '/mcp', '/demo/agents/a']);
});

test('a read-only run starts no execution, but may read executions', async () => {
  await using server = await localServer(() => ({}));
  const { client } = openTestRun({ address: server.address });
  const job = { path: { jobName: 'demo-job' } };
  await expect(client.call('createJobExecution', { ...job, body: { tasks: [{}] } })).rejects.toBeInstanceOf(NotTried);
  await client.call('listJobExecutions', job);
  expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /demo/jobs/demo-job/executions']);
});

test('an exchange of an operation contains the differences from its schema', async () => {
  await using server = await localServer(() => ({ body: { values: [1] } }));
  const { shape } = await openTestRun({ address: server.address }).client.call('listMetricsGroupBy');
  expect(new Set(shape.map(({ at }) => at))).toEqual(new Set(['/values/0']));
});

test('a surface without an address and an unknown account are not tried', async () => {
  const { account, ...target } = testTarget({
    address: 'http://127.0.0.1:9',
    target: { addresses: { management: 'http://127.0.0.1:9/v0' } },
  });
  expect(account).toBe('acc-1');
  const { context } = openTestContext({ address: '' });
  const { client } = createRun(rule, { ...context, target }, newTally());
  await expect(client.call('getSandboxRoot')).rejects.toBeInstanceOf(NotTried);
  await expect(client.call('getAccountMetrics')).rejects.toBeInstanceOf(NotTried);
});

test('an issued token is redacted from then on, unless it is very short', async () => {
  await using server = await localServer(() => ({ body: { access_token: 'token-of-somebody', id_token: 'x' } }));
  const { context } = openTestContext({ address: server.address });
  await createRun(rule, context, newTally()).client.call('listAccounts');
  expect(context.redaction.known('expected: token-of-somebody')).toBe('expected: $SVC_ISSUED_ACCESS_TOKEN');
});

test('a create or watch without a valid token is not recorded', async () => {
  await using server = await localServer(() => ({ status: 400 }));
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const client = { tokenUrl: `${server.address}/token`, id: 'me', secret: { value: 'of-the-client', name: 'S' } };
  const renewal = { client, at: 'credentials.admin', due: 0, end: 0 };
  const credentials = { admin: { value: 'stale-token', name: 'A', renewal }, scoped: {} };
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile, target: { credentials } });
  const before = readFileSync(ledgerFile, 'utf8');
  const body = { metadata: { name: run.newName() } };
  await expect(run.client.call('createVpc', { body })).rejects.toBeInstanceOf(HarnessError);
  const raw = { surface: 'management', method: 'POST', path: '/vpcs', body: JSON.stringify(body) } as const;
  await expect(run.client.send(raw)).rejects.toBeInstanceOf(HarnessError);
  await expect(run.client.open('watchDirectory', { path: { path: 'a' } })).rejects.toBeInstanceOf(HarnessError);
  expect(readFileSync(ledgerFile, 'utf8')).toBe(before);
  expect(new Set(server.received.map(({ url }) => url))).toEqual(new Set(['/token']));
});
