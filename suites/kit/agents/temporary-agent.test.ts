import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { adviceFor } from '../../../spec/requirements/need-advice.ts';
import { NotTried } from '../../target/violation.ts';
import { jsonIn } from '../../json/json-in.ts';
import { localServer } from '../../testing/local-server.ts';
import { openTestRun } from '../../testing/test-run.ts';
import { createTemporaryAgent } from './temporary-agent.ts';

/** More than a run may leave behind. */
const MAX_AGENTS = 50;

test('if the target removes no agent, the reason has advice that names the operation', async () => {
  await using server = await localServer(({ method, body }) =>
    method === 'POST' ? { status: 200, body: jsonIn(body) as object } : { status: 405 },
  );
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const run = openTestRun({ address: server.address, allow: 'write', ledgerFile });
  let reason: unknown;
  let agentCount = 0;
  for (; reason === undefined && agentCount < MAX_AGENTS; agentCount += 1)
    reason = await createTemporaryAgent(run)
      .then(({ remove }) => remove())
      .then(() => undefined)
      .catch((error: unknown) => error);
  expect(agentCount).toBeGreaterThan(1);
  expect(reason).toBeInstanceOf(NotTried);
  expect(adviceFor((reason as NotTried).message)).toContain('answer POST /agents and DELETE /agents/{agentName}');
});
