/** agents.triggers.callback-secret-is-the-servers on a server that still has what an earlier run sent. */
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

const RULE = 'agents.triggers.callback-secret-is-the-servers';

test('a server that no longer takes secrets from clients passes, although triggers still have one', async () => {
  const tried = (await collectCases([RULE])).get(RULE)!;
  let isFaulty = true;
  /** By the path of the trigger. */
  const secrets = new Map<unknown, unknown>();
  const stored = (trigger: Fields): Fields => {
    const { callbackSecret, ...configuration } = fieldsOf(trigger['configuration']) ?? {};
    const key = configuration['path'];
    if (isFaulty && callbackSecret !== undefined) secrets.set(key, callbackSecret);
    // It returns asterisks for its own secret, so that the run does not send one of the same format.
    if (configuration['callbackUrl'] !== undefined && !secrets.has(key)) secrets.set(key, '********');
    const own = secrets.has(key) ? { callbackSecret: secrets.get(key) } : {};
    return { id: `t-${String(key)}`, ...trigger, configuration: { ...configuration, ...own } };
  };
  let agent: Fields = { metadata: { name: 'demo-agent' }, spec: {} };
  await using server = await localServer(({ method, url, body }) => {
    if (url !== '/v0/agents/demo-agent') return { status: 404, body: {} };
    if (method === 'PUT') {
      const { spec } = fieldsOf(JSON.parse(body)) ?? {};
      const { triggers = [], ...others } = fieldsOf(spec) ?? {};
      agent = { metadata: { name: 'demo-agent' }, spec: { ...others, triggers: (triggers as Fields[]).map(stored) } };
    }
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
    // As if the run had restored the agent.
    agent = { metadata: { name: 'demo-agent' }, spec: {} };
  }
  expect(verdicts).toEqual(['failed', 'passed']);
});
