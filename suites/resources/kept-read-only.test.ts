/** resources.read-only.* on a server that still has what an earlier run sent. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'resources.read-only.never-taken-from-client';
const inMetadata = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'plan', 'url', 'workspace'];

/** Verdicts of two runs on one agent: the server stores the field as it is sent in the first, and ignores it in the second. */
async function verdictsOf(field: string): Promise<readonly string[]> {
  const tried = (await collectCases([RULE])).get(RULE)!;
  let isFaulty = true;
  let stored: unknown;
  let agent: Fields = { metadata: { name: 'demo-agent' }, spec: {} };
  const update = (sent: Fields): Fields => {
    const isOfMetadata = inMetadata.includes(field);
    const value = (isOfMetadata ? fieldsOf(sent['metadata']) : sent)?.[field];
    if (isFaulty && value !== undefined) stored = value;
    const own = stored === undefined ? {} : { [field]: stored };
    // Without the label of the run, as if that had restored the agent.
    const metadata = { name: 'demo-agent', ...(isOfMetadata && own) };
    return { metadata, spec: sent['spec'], status: 'DEPLOYED', ...(!isOfMetadata && own) };
  };
  await using server = await localServer(({ method, url, body }) => {
    if (url !== '/v0/agents/demo-agent') return { status: 404, body: {} };
    if (method === 'PUT') agent = update(fieldsOf(JSON.parse(body)) ?? {});
    return { body: agent };
  });
  const verdicts: string[] = [];
  for (const runId of ['first', 'second']) {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-kept-'));
    const ledgerFile = path.join(folder.path, 'ledger');
    const run = openTestContext({ address: server.address, allow: 'destroy', ledgerFile, runId });
    verdicts.push((await runCase(tried, run.context)).result.verdict);
    await run.close();
    isFaulty = false;
  }
  return verdicts;
}

test.concurrent.each([...inMetadata, 'status', 'events'])(
  'a server that no longer takes %s from clients passes, although it still has the value',
  async (field) => {
    expect(await verdictsOf(field)).toEqual(['failed', 'passed']);
  },
);
