import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { requirement } from '../../../spec/requirements/index.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { createRun } from '../../engine/run.ts';
import { newTally } from '../../engine/tally.ts';
import { localServer } from '../../testing/local-server.ts';
import type { ReceivedRequest } from '../../testing/local-server.ts';
import { openTestContext } from '../../testing/test-run.ts';
import { unlistedDeletion } from './deletions.ts';

const rules = ['versions.unknown.message-names-it-and-the-valid-ones', 'versions.unknown.malformed-refused'] as const;
const id = 'deleteVolumeTemplateVersion';

/** The statuses of deletions with unlisted versions, for two rules of one run. */
async function statusesOf(
  versions: readonly string[],
  respond: (request: ReceivedRequest, isDeleted: boolean) => number,
): Promise<number[][]> {
  const deleted = new Set<string>();
  await using server = await localServer((request) => {
    const status = respond(request, deleted.has(request.url));
    if (request.method === 'DELETE' && status === 200) deleted.add(request.url);
    return { status, body: {} };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context } = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const runOf = (rule: RequirementId) => createRun(requirement(rule), { ...context, patienceSeconds: 0 }, newTally());
  const found = [];
  for (const rule of rules) found.push(await unlistedDeletion(runOf(rule), id, versions));
  return found.map((exchanges) => exchanges.map(({ response }) => response.status));
}

test('a version that deletes for one rule does not hide that from the next rule', async () => {
  const statuses = await statusesOf(['latest', 'v1'], (_, isDeleted) => (isDeleted ? 404 : 200));
  expect(statuses).toEqual([[200], [200]]);
});

test('404 for a resource that exists is returned to the rule', async () => {
  const statuses = await statusesOf(['latest', 'v1'], ({ headers }) =>
    headers['svc-version'] === undefined ? 200 : 404,
  );
  expect(statuses).toEqual([
    [404, 404],
    [404, 404],
  ]);
});

test('nothing is returned if a valid deletion fails as well', async () => {
  const statuses = await statusesOf(['latest'], ({ method }) => (method === 'DELETE' ? 404 : 200));
  expect(statuses).toEqual([[], []]);
});
