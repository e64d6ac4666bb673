import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Mismatch } from '../engine/conforms.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { refusedThenDeleted, refusedUpdatesAreGone } from './refused-writes.ts';

const VERSIONS = ['2026-04-17', '2026-04-16.preview', 'latest'];

/** Little patience, because the mismatches of these tests do not end. */
const openWritingRun = (address: string, patienceSeconds = 0.2) => {
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  return openTestRun({ address, allow: 'write', ledgerFile, patienceSeconds, rule: 'versions.unknown.has-no-effect' });
};

/**
 * A server on which a new version exists only for the second valid deletion. A refused version deletes if it is the one
 * given here, and is accepted if it is the other one.
 */
const laggingServer = ({ deleting = '', accepted = '' } = {}) => {
  const tries = new Map<string, number>();
  return localServer(({ method, url, headers }) => {
    if (method !== 'DELETE') return { body: {} };
    const version = headers['svc-version'];
    const isRefused = version !== undefined && version !== accepted;
    const count = (tries.get(url) ?? 0) + (isRefused ? 0 : 1);
    tries.set(url, isRefused && version === deleting ? -Infinity : count);
    if (isRefused) return { status: 400, body: {} };
    return { status: count > 1 || version === accepted ? 200 : 404, body: {} };
  });
};

const deletionMismatches = (address: string, patienceSeconds?: number): Promise<Mismatch[][]> =>
  refusedThenDeleted(openWritingRun(address, patienceSeconds), 'deleteVolumeTemplateVersion', VERSIONS);

test('a resource that takes a moment to exist is not a mismatch', async () => {
  await using server = await laggingServer();
  expect(await deletionMismatches(server.address, 2)).toEqual([[]]);
});

test.each(VERSIONS)('a deletion that is refused for version %s but takes effect is a mismatch', async (deleting) => {
  await using server = await laggingServer({ deleting });
  expect(await deletionMismatches(server.address)).toMatchObject([
    [{ actual: expect.stringContaining('404') as string }],
  ]);
});

test('nothing is judged if one of the versions is accepted', async () => {
  await using server = await laggingServer({ accepted: '2026-04-16.preview' });
  expect(await deletionMismatches(server.address)).toEqual([]);
});

/** A server with one agent, which refuses every version, and applies updates with one of them. */
function agentServer(applied?: string) {
  let agent: object = { metadata: { name: 'demo-agent' }, spec: {} };
  return localServer(({ method, body, headers }) => {
    const version = headers['svc-version'];
    if (method === 'PUT' && (version === undefined || version === applied)) agent = JSON.parse(body) as object;
    return version === undefined ? { body: agent } : { status: 400, body: {} };
  });
}

const updateMismatches = async (applied?: string): Promise<Mismatch[][]> => {
  await using server = await agentServer(applied);
  return await refusedUpdatesAreGone(openWritingRun(server.address), VERSIONS);
};

test('updates that are refused without an effect are no mismatch', async () => {
  expect(await updateMismatches()).toEqual([[]]);
});

test.each(VERSIONS)('an update that is refused for version %s but takes effect is a mismatch', async (applied) => {
  const [found = []] = await updateMismatches(applied);
  expect(found).not.toEqual([]);
  expect(found[0]?.before).toHaveLength(VERSIONS.length);
});
