import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTestRun, testExchange } from '../testing/test-run.ts';
import { namedWorkloads, serving, stillServe } from './workloads.ts';

const initialized = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'tools', version: '1' } };
const failed = { error: { code: -32_603, message: 'no image' } };

/** A function that responds to `initialize` with what `begin` returns. */
const functionThat = (begin: () => object) =>
  localServer(({ method, body }): LocalResponse => {
    const { id, method: called } = JSON.parse(body === '' ? '{}' : body) as { id?: unknown; method?: string };
    if (method !== 'POST' || id === undefined) return { status: 202 };
    const sent = called === 'initialize' ? begin() : { error: { code: -32_601, message: 'unknown' } };
    return { body: { jsonrpc: '2.0', id, ...sent } };
  });

const runOn = ({ address }: { readonly address: string }) =>
  openTestRun({ address, patienceSeconds: 0, target: { resources: { function: 'tools' } } });

test('a function that responds with status 200 and an error does not serve', async () => {
  await using server = await functionThat(() => failed);
  expect(await serving(namedWorkloads(runOn(server)))).toEqual([]);
});

test('a function whose result has become an error does not serve as before', async () => {
  let isCleanedUp = false;
  await using server = await functionThat(() => (isCleanedUp ? failed : { result: initialized }));
  const run = runOn(server);
  const workloads = await serving(namedWorkloads(run));
  isCleanedUp = true;
  expect(await stillServe(run, workloads, testExchange)).toMatchObject([
    { actual: 'function "tools" responds with no result' },
  ]);
});
