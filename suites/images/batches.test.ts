import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const SECOND = 'images.cleanup.second-deletes-none';
const SHAPE = 'images.cleanup.answer-shape';

/** `replyTo`: to each clean-up, from 0. */
async function verdictOn(replyTo: (index: number) => LocalResponse, rule: RequirementId = SECOND) {
  let count = 0;
  await using server = await localServer(({ method, url }) =>
    method === 'DELETE' && url.endsWith('/images') ? replyTo(count++) : { status: 404, body: {} },
  );
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-test-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const run = openTestContext({ address: server.address, allow: 'destroy', ledgerFile });
  const { result } = await runCase((await collectCases([rule])).get(rule)!, run.context);
  await run.close();
  return result.verdict;
}

const deletes = (deleted: number): LocalResponse => ({ body: { deleted, message: 'deleted' } });
const refuses = (status: number): LocalResponse => ({ status, body: { error: 'once an hour', code: status } });

test('a server may delete four of 24 unused images at a time', async () => {
  expect(await verdictOn((index) => deletes(index < 6 ? 4 : 0))).toBe('passed');
});

test('a server must not report deleted images forever', async () => {
  expect(await verdictOn(() => deletes(4))).toBe('failed');
});

test('a server may refuse a second clean-up, or the first one because of another user', async () => {
  const once = (index: number): LocalResponse => (index === 0 ? deletes(3) : refuses(409));
  expect(await verdictOn(once)).toBe('not-tried');
  expect(await verdictOn(once, SHAPE)).toBe('passed');
  expect(await verdictOn(() => refuses(409), SHAPE)).toBe('not-tried');
});

test('a server must not refuse the first clean-up for other reasons, or fail at the second one', async () => {
  expect(await verdictOn(() => refuses(400), SHAPE)).toBe('failed');
  expect(await verdictOn((index) => (index === 0 ? deletes(3) : refuses(500)), SHAPE)).toBe('failed');
});
