import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'agents.enabled.false-does-not-serve';

/** The outcome on a server whose agent no longer serves once it was disabled; because it was removed, or without a reason. */
async function outcomeIf(isRemoved: boolean) {
  let wasDisabled = false;
  let spec: { enabled?: boolean } = {};
  await using server = await localServer(({ method, url, body }) => {
    if (url.startsWith('/demo/agents/')) return { status: wasDisabled ? 404 : 200, body: {} };
    if (!url.startsWith('/v0/agents/demo-agent')) return { status: 404, body: {} };
    const isEnabling = method === 'PUT' && (JSON.parse(body) as { spec: typeof spec }).spec.enabled !== false;
    if (wasDisabled && isRemoved && isEnabling) return { status: 404, body: {} };
    if (method === 'PUT') ({ spec } = JSON.parse(body) as { spec: typeof spec });
    wasDisabled ||= spec.enabled === false;
    const status = wasDisabled && isRemoved && method === 'GET' ? 404 : 200;
    return { status, body: { metadata: { name: 'demo-agent' }, spec, status: 'DEPLOYED' } };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context, close } = openTestContext({
    address: server.address,
    allow: 'write',
    ledgerFile,
    patienceSeconds: 1,
  });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return result;
}

test('an agent may be removed while it is tested', async () => {
  expect(await outcomeIf(true)).toMatchObject({
    verdict: 'not-tried',
    reason: expect.stringContaining('an agent that exists while it is tested'),
  });
});

test('an agent that exists must serve again', async () => {
  expect(await outcomeIf(false)).toMatchObject({ verdict: 'failed' });
});
