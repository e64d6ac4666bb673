/** functions.create.with-connection on servers that bind a connection to one function at a time. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RuleResult } from '../../spec/verdicts.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

interface Sent {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly integrationConnections?: readonly string[] };
}

/** Whether a function is refused: by its connection, those of existing functions, and those of all functions so far. */
type Refuses = (connection: string, existing: readonly string[], ever: readonly string[]) => boolean;

function respond(refuses: Refuses): (request: ReceivedRequest) => LocalResponse {
  const functions = new Map<string, string>();
  const ever: string[] = [];
  return ({ method, url, body }) => {
    if (method === 'DELETE') return { status: functions.delete(url) || url.includes('/connections/') ? 200 : 404 };
    if (method !== 'POST' || !url.includes('/v0/')) return { status: 404, body: {} };
    const sent = JSON.parse(body) as Sent;
    const [connection] = sent.spec.integrationConnections ?? [];
    if (connection === undefined) return { body: sent };
    if (refuses(connection, [...functions.values()], ever)) return { status: 409, body: {} };
    ever.push(connection);
    functions.set(`${url}/${sent.metadata.name}`, connection);
    return { body: sent };
  };
}

test.concurrent.each<[string, Refuses, string]>([
  ['accepts all', () => false, 'passed'],
  ['binds a connection once at a time', (connection, existing) => existing.includes(connection), 'passed'],
  [
    'has a function with the known connection',
    (connection, existing) => ['known', ...existing].includes(connection),
    'passed',
  ],
  ['binds a connection only once', (connection, _, ever) => ever.includes(connection), 'failed'],
  ['refuses every function with a connection', () => true, 'failed'],
  ['refuses other connections', (connection) => connection !== 'known', 'failed'],
])('a server that %s', async (_, refuses, verdict) => {
  expect(await resultOn(refuses)).toMatchObject({ verdict });
});

test('the failure of a function that was waited for says so', async () => {
  const { counterexample } = await resultOn(() => true, 5);
  expect(counterexample?.waitedSeconds).toBeGreaterThanOrEqual(5);
});

async function resultOn(refuses: Refuses, patienceSeconds = 2): Promise<RuleResult> {
  const id = 'functions.create.with-connection';
  // Before the run is opened: it judges by the rules that are loaded.
  const tried = (await collectCases([id])).get(id)!;
  await using server = await localServer(respond(refuses));
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-exclusive-'));
  const resources = { connection: 'known', mailIntegration: 'mail' };
  const ledgerFile = path.join(folder.path, 'ledger');
  const allow = 'destroy';
  const target = { resources };
  const run = openTestContext({ address: server.address, allow, ledgerFile, target, patienceSeconds });
  const { result } = await runCase(tried, run.context);
  await run.close();
  return result;
}
