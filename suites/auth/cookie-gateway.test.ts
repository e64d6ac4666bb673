import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { ADMIN, openTestContext } from '../testing/test-run.ts';

const RULE = 'auth.public-agent.open-when-public';
const NAME = 'demo-agent-mk3';

/** The verdict on a server whose gateway redirects anonymous callers to the same URL, until they send its cookie if that helps. */
async function verdictOn(helps: boolean): Promise<string> {
  let isPublic = false;
  const agent = () => ({
    metadata: { name: NAME },
    spec: { public: isPublic, runtime: { generation: 'mk3' } },
    status: 'DEPLOYED',
  });
  await using server = await localServer(({ method, url, headers, body }) => {
    const isAnonymous = ![headers.authorization, headers['x-svc-authorization']].includes(`Bearer ${ADMIN}`);
    if (url.startsWith('/demo/agents/')) {
      if (!isAnonymous) return { body: {} };
      const redirect = { status: 307, headers: { location: url, 'set-cookie': 'sid=1; Path=/; HttpOnly' } };
      if (!helps || headers.cookie !== 'sid=1') return redirect;
      return { status: isPublic ? 200 : 401, body: {} };
    }
    if (isAnonymous) return { status: 401, body: { error: 'unauthorized', code: 401 } };
    if (!url.startsWith(`/v0/agents/${NAME}`)) return { status: 404, body: {} };
    if (method === 'PUT') isPublic = (JSON.parse(body) as { spec: { public?: boolean } }).spec.public ?? false;
    return { body: agent() };
  });
  const { context, close } = openTestContext({
    address: server.address,
    allow: 'write',
    ledgerFile: path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson'),
    target: { resources: { mk3Agent: NAME } },
    patienceSeconds: 1,
  });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return result.verdict;
}

test.each([
  [true, 'passed'],
  [false, 'failed'],
])('a gateway may set a cookie before it lets callers in: %s', async (helps, verdict) => {
  expect(await verdictOn(helps)).toBe(verdict);
});
