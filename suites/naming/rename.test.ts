import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { updateOf } from '../kit/provision/writes.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { otherUnchanged } from './rename.ts';

interface Behavior {
  /** The agent that an update of `one` whose body names `two` changes. */
  readonly updated?: 'one' | 'two' | 'refused';
  readonly createdAt?: (name: string) => string | undefined;
  /** Reads return what was stored before the last updates. */
  readonly lag?: number;
  readonly isReadable?: boolean;
  /** Whether an update whose body has another name is lost, although its response shows it. */
  readonly losesRenaming?: boolean;
}

const AT = '2026-05-01T10:00:00';
const ofEach = (name: string): string => `${AT}.00${name === 'one' ? 1 : 2}Z`;

const agentServer = ({
  updated = 'one',
  createdAt = ofEach,
  lag = 0,
  isReadable = true,
  losesRenaming = false,
}: Behavior) => {
  const stored: Record<string, (string | undefined)[]> = { one: [], two: [] };
  const specs: Record<string, object> = {};
  const agent = (name: string, displayName?: string, from = name) => ({
    body: { metadata: { name, displayName, createdAt: createdAt(from) }, spec: specs[name] ?? {} },
  });
  let reads = 0;
  return localServer(({ method, url, body }) => {
    const name = url.split('/').at(-1)!;
    if (method === 'GET') {
      if (!isReadable) return { status: 404 };
      const isStale = (reads += 1) <= lag;
      return agent(name, stored[name]?.at(isStale ? -2 : -1));
    }
    const { metadata, spec } = JSON.parse(body) as { metadata: { name: string; displayName?: string }; spec: object };
    specs[name] = spec;
    if (metadata.name !== name && updated === 'refused') return { status: 400 };
    const changed = metadata.name === name ? name : updated;
    if (metadata.name === name || !losesRenaming) stored[changed]?.push(metadata.displayName);
    return agent(name, metadata.displayName, changed);
  });
};

async function mismatches(behavior: Behavior): Promise<string[]> {
  await using server = await agentServer(behavior);
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile, rule: 'naming.name.immutable' });
  const other = { ...updateOf(run, 'two', 'mk3'), agent: 'two' };
  return (await otherUnchanged(run, 'one', other)).map(({ expected }) => expected.split(',')[0]!);
}

test.each<[string, Behavior]>([
  ['refused', { updated: 'refused' }],
  ['an update of the agent of the path', {}],
  ['an update of the agent of the path, on a server without reads', { isReadable: false }],
  ['an update of the agent of the path, whose reads are stale for a moment', { lag: 1 }],
  ['an update of an agent that was created in the same second', { createdAt: () => `${AT}Z` }],
  ['an update whose response has no createdAt', { createdAt: () => undefined }],
])('an update whose body names another agent may be %s', async (_, behavior) => {
  expect(await mismatches(behavior)).toEqual([]);
});

test('an update whose body names another agent does not change that one', async () => {
  const [createdAsOther, kept, other] = await mismatches({ updated: 'two' });
  expect(createdAsOther).toBe('refused');
  expect(kept).toMatch(/^agent "one" with displayName/);
  expect(other).toMatch(/^agent "two" unchanged/);
});

test('without reads, createdAt shows which agent a response describes', async () => {
  expect(await mismatches({ updated: 'two', isReadable: false })).toEqual(['refused']);
});

test('where reads show updates at once, one that is lost is found without waiting', async () => {
  await using server = await agentServer({ losesRenaming: true });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const patienceSeconds = 60;
  const rule = 'naming.name.immutable';
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile, rule, patienceSeconds });
  const startMs = performance.now();
  const found = await otherUnchanged(run, 'one', { ...updateOf(run, 'two', 'mk3'), agent: 'two' });
  expect(found.map(({ expected }) => expected)).toEqual([expect.stringMatching(/^agent "one" with displayName/)]);
  expect(performance.now() - startMs).toBeLessThan((patienceSeconds * 1000) / 2);
});
