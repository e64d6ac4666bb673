import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RuleResult } from '../../spec/verdicts.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'auth.public-agent.closed-again';
const NAME = 'demo-agent-mk3';

/** What an update without `public` does to a public agent, and what is returned for it. */
interface Omission {
  readonly isOpen: boolean;
  readonly returned?: boolean;
  readonly status?: number;
}

/** The result on a server with one agent. */
async function resultOn(
  omission: Omission,
  { closesExplicitly = true, hasUpdates = true, refusesInvalid = true, patienceSeconds = 1 } = {},
): Promise<RuleResult> {
  let isOpen = false;
  const agent = (isPublic?: boolean) => ({
    metadata: { name: NAME },
    spec: { public: isPublic, runtime: { generation: 'mk3' } },
    status: 'DEPLOYED',
  });
  await using server = await localServer(({ method, url, headers, body }) => {
    const isAnonymous = headers.authorization !== 'Bearer marked-admin-secret';
    if (url.startsWith('/demo/agents/')) return { status: isAnonymous && !isOpen ? 401 : 200, body: {} };
    if (isAnonymous) return { status: 401, body: { error: 'unauthorized', code: 401 } };
    if (!url.startsWith(`/v0/agents/${NAME}`)) return { status: 404, body: {} };
    if (method !== 'PUT') return { body: agent(isOpen) };
    if (!hasUpdates) return { status: 404, body: { error: 'no such route', code: 404 } };
    const { spec } = JSON.parse(body) as { spec: { public?: boolean; runtime?: { memory?: unknown } } };
    const isInvalid = headers['svc-version'] !== undefined || typeof spec.runtime?.memory === 'string';
    if (isInvalid && refusesInvalid) return { status: 400, body: {} };
    if (spec.public !== undefined) {
      isOpen = spec.public || (isOpen && !closesExplicitly);
      return { body: agent(spec.public) };
    }
    if (!isOpen) return { body: agent(false) };
    const { returned, status = 200 } = omission;
    isOpen = omission.isOpen;
    return { status, body: agent(returned) };
  });
  const { context, close } = openTestContext({
    address: server.address,
    allow: 'write',
    ledgerFile: path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson'),
    target: { resources: { mk3Agent: NAME } },
    patienceSeconds,
  });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  return result;
}

test.each<[string, Omission]>([
  ['closes and returns the default', { isOpen: false, returned: false }],
  ['closes and returns nothing', { isOpen: false }],
  ['keeps the value and returns it, which another rule judges', { isOpen: true, returned: true }],
  ['requires the member', { isOpen: true, status: 400 }],
])('a server that on an update without public %s passes', async (_, omission) => {
  expect(await resultOn(omission)).toMatchObject({ verdict: 'passed' });
});

test.each<[string, Omission]>([
  ['returns false', { isOpen: true, returned: false }],
  ['returns nothing', { isOpen: true }],
])('an agent that stays open after an update without public that %s fails', async (_, omission) => {
  expect(await resultOn(omission)).toMatchObject({ verdict: 'failed' });
});

test('an agent that stays open although public is set to false fails', async () => {
  expect(await resultOn({ isOpen: false }, { closesExplicitly: false })).toMatchObject({ verdict: 'failed' });
});

test('an agent that an invalid update opens, because it is accepted, passes: that is judged by other rules', async () => {
  expect(await resultOn({ isOpen: false }, { refusesInvalid: false })).toMatchObject({ verdict: 'passed' });
});

test('a missing update is known without waiting for an effect', async () => {
  const started = performance.now();
  expect(await resultOn({ isOpen: false }, { hasUpdates: false, patienceSeconds: 60 })).toMatchObject({
    verdict: 'not-tried',
    reason: expect.stringContaining('404'),
  });
  expect(performance.now() - started).toBeLessThan(30_000);
}, 120_000);
