import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'agents.update.round-trip';

interface Agent {
  readonly metadata: object;
  readonly spec: { readonly revision?: { readonly active?: string } };
  readonly events?: readonly object[];
}

/** The verdict on a server of agents that returns this active revision after an update that sent one, or none. */
async function verdictOn(returned: (sent: string | undefined, newest: string) => string | undefined) {
  let count = 0;
  let stored: Agent = { metadata: {}, spec: {} };
  await using server = await localServer(({ method, url, headers, body }) => {
    if (!url.startsWith('/v0/agents')) return { status: 404, body: {} };
    if (headers['svc-version'] !== undefined) return { status: 400, body: {} };
    if (method === 'DELETE') return { body: {} };
    if (method !== 'GET') {
      const { metadata, spec } = JSON.parse(body) as Agent;
      const newest = `r${(count += 1)}`;
      const active = returned(spec.revision?.active, newest);
      const revision = active === undefined ? spec.revision : { ...spec.revision, active };
      const events = [{ type: 'deploy', revision: newest }];
      stored = { metadata, spec: { ...spec, ...(revision && { revision }) }, events };
    }
    return { body: stored };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context, close } = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return result.verdict;
}

test('a server may choose the active revision itself', async () => {
  expect(await verdictOn((_, newest) => newest)).toBe('passed');
});

test('a server returns the active revision that an update names', async () => {
  expect(await verdictOn((sent) => sent)).toBe('passed');
  expect(await verdictOn((sent, newest) => sent && newest)).toBe('failed');
});
