import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import { ADMIN, openTestContext, openTestRun, testTarget } from '../testing/test-run.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import type { CallerName } from '../engine/callers.ts';
import type { Run } from '../engine/run.ts';
import { requirement } from '../../spec/requirements/index.ts';
import type { HeaderInput } from './request-types.ts';
import { localServer } from '../testing/local-server.ts';
import { MAX_REFUSALS } from './refusals.ts';
import { HarnessError } from './transport.ts';

const secret = (name: string) => ({ value: `marked-${name}`, name });
const credentials = {
  admin: { value: ADMIN, name: 'SVC_ADMIN_TOKEN' },
  member: secret('SVC_MEMBER_TOKEN'),
  unrelated: secret('SVC_UNRELATED_TOKEN'),
  scoped: { 'agents:update': secret('SVC_AGENTS_UPDATE_TOKEN') },
};
const runAt = (address: string): Run => openTestRun({ address, target: { credentials } });
const refusing = () => localServer(() => ({ status: 401 }));

test.each([
  ['a value', { isLiteral: true }, 'credentials.admin'],
  ['a variable', {}, 'SVC_ADMIN_TOKEN'],
] as const)('the error names a refused credential that is %s by its source', async (_, source, name) => {
  await using server = await refusing();
  const run = openTestRun({
    address: server.address,
    target: { credentials: { ...credentials, admin: { ...credentials.admin, ...source } } },
  });
  await call(run, 'admin', MAX_REFUSALS);
  await expect(call(run, 'admin', 1)).rejects.toThrow(`the credential ${name} got status 401`);
});

async function call(run: Run, as: CallerName, times: number, headers: HeaderInput = {}): Promise<void> {
  for (let time = 0; time < times; time += 1) await run.as(as).call('listVpcs', { headers });
}

test('a credential refused five times in a row is no longer sent, and the error names it', async () => {
  await using server = await refusing();
  const run = runAt(server.address);
  await call(run, 'admin', MAX_REFUSALS);
  await expect(call(run, 'admin', 1)).rejects.toThrow(/SVC_ADMIN_TOKEN got status 401 5 times/);
  await expect(run.client.send({ surface: 'host', method: 'GET', path: '/' })).rejects.toBeInstanceOf(HarnessError);
  await expect(run.client.open('watchDirectory', { path: { path: 'a' } })).rejects.toBeInstanceOf(HarnessError);
  expect(server.received).toHaveLength(MAX_REFUSALS);
});

test('a credential that was accepted before is still used at the other APIs', async () => {
  await using server = await localServer(({ url }) => ({ status: url.includes('/vpcs') ? 401 : 200, body: [] }));
  const run = runAt(server.address);
  const sendToHost = () => run.client.send({ surface: 'host', method: 'GET', path: '/' });
  await sendToHost();
  await call(run, 'admin', MAX_REFUSALS);
  await expect(call(run, 'admin', 1)).rejects.toThrow(
    '5 times in a row from addresses.management and is no longer used there',
  );
  expect((await sendToHost()).response.status).toBe(200);
});

test('refusals in both headers count', async () => {
  await using server = await refusing();
  const run = runAt(server.address);
  const other = { Authorization: undefined, 'X-Svc-Authorization': `Bearer ${ADMIN}` };
  await call(run, 'admin', MAX_REFUSALS - 1, other);
  await call(run, 'admin', 1);
  await expect(call(run, 'admin', 1, other)).rejects.toBeInstanceOf(HarnessError);
});

test('a refused stream counts', async () => {
  await using server = await refusing();
  const run = runAt(server.address);
  for (let time = 0; time < MAX_REFUSALS; time += 1)
    await (await run.client.open('watchDirectory', { path: { path: 'a' } })).close();
  await expect(call(run, 'admin', 1)).rejects.toBeInstanceOf(HarnessError);
});

test('other credentials are still used', async () => {
  await using server = await refusing();
  const run = runAt(server.address);
  await call(run, 'admin', MAX_REFUSALS);
  await call(run, 'member', 1);
  expect(server.received).toHaveLength(MAX_REFUSALS + 1);
});

test('any other response resets the count', async () => {
  let count = 0;
  await using server = await localServer(() => ({ status: (count += 1) === MAX_REFUSALS ? 403 : 401 }));
  await call(runAt(server.address), 'admin', 2 * MAX_REFUSALS);
  expect(server.received).toHaveLength(2 * MAX_REFUSALS);
});

test.each<[string, CallerName, HeaderInput?]>([
  ['that may do nothing here', 'unrelated'],
  ['of one scope', { scoped: 'agents:update' }],
  ['that the run made up', { token: 'made-up' }],
  ['that is none', 'none'],
  ['in another form', 'admin', { Authorization: `bearer ${ADMIN}` }],
  ['that was altered', 'admin', { Authorization: `Bearer ${ADMIN}x` }],
  ['next to another one', 'admin', { 'X-Svc-Authorization': 'Bearer other' }],
  ['sent twice', 'admin', { Authorization: [`Bearer ${ADMIN}`, `Bearer ${ADMIN}`] }],
])('a credential %s may be refused any number of times', async (_, as, headers) => {
  await using server = await refusing();
  const run = runAt(server.address);
  await call(run, as, 3 * MAX_REFUSALS, headers);
  await call(run, 'admin', 1);
  expect(server.received).toHaveLength(3 * MAX_REFUSALS + 1);
});

test('OAuth endpoints may refuse any number of bearer tokens', async () => {
  await using server = await refusing();
  const run = runAt(server.address);
  for (let count = 0; count < 3 * MAX_REFUSALS; count += 1) await run.client.call('requestToken');
  expect(server.received).toHaveLength(3 * MAX_REFUSALS);
});

test('a create with a credential that is no longer used is not recorded', async () => {
  await using server = await refusing();
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile });
  await call(run, 'admin', MAX_REFUSALS);
  await expect(run.client.call('createVpc', { body: { metadata: { name: run.newName() } } })).rejects.toThrow('401');
  expect(readFileSync(ledgerFile, 'utf8')).not.toContain('createVpc');
});

test('a recorded exchange names its credential if it was sent unchanged', async () => {
  await using server = await localServer(() => ({}));
  const exchangesFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'exchanges.ndjson');
  const open = openTestContext({
    address: server.address,
    exchangesFile,
    target: { ...testTarget({ address: server.address }), credentials },
  });
  const run = createRun(requirement('metrics.group-by.at-most-three'), open.context, newTally());
  for (const caller of ['admin', 'unrelated', { scoped: 'agents:update' }, 'none'] as const) await call(run, caller, 1);
  await call(run, 'admin', 1, { Authorization: `Bearer ${ADMIN}x` });
  await open.close();
  const text = readFileSync(exchangesFile, 'utf8');
  const records = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ExchangeRecord);
  expect(records.map(({ credential }) => credential)).toEqual([
    'SVC_ADMIN_TOKEN',
    'SVC_UNRELATED_TOKEN',
    'SVC_AGENTS_UPDATE_TOKEN',
    undefined,
    undefined,
  ]);
  expect(text).not.toContain('marked-');
});
