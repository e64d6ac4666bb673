import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';

/** A server of VPCs whose gateway gives up this many creates, although they are carried out. */
function gatewayServer(givenUp: number, removes = true) {
  const names = new Set<string>();
  let count = 0;
  return localServer(({ method, url, body }) => {
    const name = url.split('/').at(-1)!;
    if (method === 'DELETE') return { status: !removes ? 405 : names.delete(name) ? 200 : 404, body: {} };
    const sent = (JSON.parse(body) as { metadata: { name: string } }).metadata.name;
    if (names.has(sent)) return { status: 409, body: {} };
    names.add(sent);
    return (count += 1) > givenUp ? { body: {} } : { status: 504, headers: { 'content-type': 'text/html' } };
  });
}

const openRun = (address: string) =>
  openTestRun({
    address,
    allow: 'write',
    ledgerFile: path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson'),
  });

const vpc = (name: string) => ({ body: { metadata: { name }, spec: {} } });

test('a create that a gateway gives up is sent again, once the resource is removed', async () => {
  await using server = await gatewayServer(1);
  const run = openRun(server.address);
  const { response } = await run.client.call('createVpc', vpc(run.newName()));
  expect(response.status).toBe(200);
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'DELETE', 'POST']);
});

test('it is not sent again if the resource cannot be removed, or remains', async () => {
  await using server = await gatewayServer(1, false);
  const run = openRun(server.address);
  const { response } = await run.client.call('createVpc', vpc(run.newName()));
  expect(response.status).toBe(504);
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

test('a gateway that gives up every create is not excused', async () => {
  await using server = await gatewayServer(Infinity);
  const run = openRun(server.address);
  const { response } = await run.client.call('createVpc', vpc(run.newName()));
  expect(response.status).toBe(504);
  expect(server.received).toHaveLength(3);
});

test('a resource that another create has made is not removed', async () => {
  await using server = await gatewayServer(0);
  const run = openRun(server.address);
  const name = run.newName();
  await run.client.call('createVpc', vpc(name));
  expect((await run.client.call('createVpc', vpc(name))).response.status).toBe(409);
  await using broken = await localServer(() => ({ status: 504, headers: { 'content-type': 'text/html' } }));
  const other = openRun(broken.address);
  await Promise.all([1, 2].map(() => other.client.call('createVpc', vpc(name))));
  expect(broken.received.map(({ method }) => method)).toEqual(['POST', 'POST']);
});
