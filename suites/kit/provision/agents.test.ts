import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Allow } from '../../../spec/formats/target-values.ts';
import { localServer } from '../../testing/local-server.ts';
import type { LocalResponse } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { NotTried } from '../../target/violation.ts';
import { agentToChange } from './agents.ts';

/** For a target without the inferred create; reads of its named agent return this response. */
async function changing(read: LocalResponse, allow: Allow) {
  await using server = await localServer(({ method }) => (method === 'GET' ? read : { status: 405 }));
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow, ledgerFile, rule: 'agents.update.round-trip' });
  const agent = await agentToChange(run).catch((error: unknown) => error);
  return { agent, ledger: readFileSync(ledgerFile, 'utf8') };
}

const returned = (spec: object): LocalResponse => ({ status: 200, body: { metadata: { name: 'demo-agent' }, spec } });

test.each(['write', 'destroy'] as const)('the previous state of the named agent is recorded (%s)', async (allow) => {
  const { agent, ledger } = await changing(returned({ enabled: true }), allow);
  expect(agent).toBe('demo-agent');
  expect(ledger).toContain('"changed":"updateAgent"');
  expect(ledger).toContain('"spec":{"enabled":true}');
});

test.each([
  { status: 404 },
  { status: 501, body: {} },
  { status: 200, body: [] },
  { status: 200, body: { metadata: {}, spec: null } },
])('a named agent that cannot be read (%j) is only changed with destroy', async (read) => {
  expect((await changing(read, 'write')).agent).toBeInstanceOf(NotTried);
  expect((await changing(read, 'destroy')).agent).toBe('demo-agent');
});

test('if an agent can neither be created nor restored, the reason names both responses', async () => {
  const reasonFor = async (read: LocalResponse) => ((await changing(read, 'write')).agent as NotTried).message;
  expect(await reasonFor({ status: 403 })).toContain(
    'an agent that the run can create or restore (POST /agents returned 405, GET /agents/demo-agent returned 403): answer GET /agents/{agentName}, or pass --allow destroy',
  );
  expect(await reasonFor({ status: 200, body: [] })).toContain(
    'GET /agents/demo-agent returned no metadata or no spec',
  );
});

test.each([
  { runtime: { envs: [{ name: 'A' }, { name: 'B', secret: true }] } },
  { triggers: [{ type: 'http' }, { type: 'http-async', configuration: { callbackUrl: 'https://example.com' } }] },
  { triggers: [{ type: 'http-async', configuration: { callbackSecret: 'hidden' } }] },
])('an agent with secrets that cannot be restored is not changed: %j', async (spec) => {
  const { agent, ledger } = await changing(returned(spec), 'destroy');
  expect(agent).toBeInstanceOf(NotTried);
  expect(ledger).not.toContain('updateAgent');
});
