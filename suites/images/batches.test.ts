import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE: RequirementId = 'images.cleanup.second-deletes-none';

/** `deleted`: the count that a server returns for each clean-up, from 0. */
async function verdictOn(deleted: (index: number) => number) {
  let count = 0;
  await using server = await localServer(({ method, url }) =>
    method === 'DELETE' && url.endsWith('/images')
      ? { body: { deleted: deleted(count++), message: 'deleted' } }
      : { status: 404, body: {} },
  );
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-test-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const run = openTestContext({ address: server.address, allow: 'destroy', ledgerFile });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  return result.verdict;
}

test('a server may delete four of 24 unused images at a time', async () => {
  expect(await verdictOn((index) => (index < 6 ? 4 : 0))).toBe('passed');
});

test('a server must not report deleted images forever', async () => {
  expect(await verdictOn(() => 4)).toBe('failed');
});
