import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'naming.name.valid-accepted';

interface Behaviour {
  /** How many VPCs may exist at the same time. */
  readonly quota?: number;
  /** How many characters of a name are compared with those of others. */
  readonly comparedLength?: number;
}

async function verdictWith({ quota = Infinity, comparedLength = Infinity }: Behaviour) {
  const names = new Set<string>();
  await using server = await localServer(({ method, url, body }) => {
    const [, deleted] = /\/vpcs(?:\/([^/]+))?$/.exec(url) ?? [];
    if (!url.includes('/vpcs')) return { status: 404, body: {} };
    if (method === 'DELETE' && deleted !== undefined) return { status: names.delete(deleted) ? 200 : 404, body: {} };
    if (method !== 'POST') return { status: 404, body: {} };
    const { metadata } = JSON.parse(body) as { metadata: { name: string } };
    const { name } = metadata;
    if (names.size >= quota) return { status: 403, body: { error: 'quota', code: 403, message: 'The quota is full.' } };
    if ([...names].some((other) => other.slice(0, comparedLength) === name.slice(0, comparedLength)))
      return { status: 409, body: { error: 'conflict', code: 409, message: 'The name is taken.' } };
    names.add(name);
    return { body: { metadata: { ...metadata, workspace: 'main' }, spec: {} } };
  });
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-test-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const run = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  return result.verdict;
}

test('a plan may allow one VPC at a time', async () => {
  expect(await verdictWith({ quota: 1 })).toBe('passed');
});

test('a server that compares whole names passes', async () => {
  expect(await verdictWith({})).toBe('passed');
});

test('a name that differs only in its last character must be accepted', async () => {
  expect(await verdictWith({ comparedLength: 48 })).toBe('failed');
});
