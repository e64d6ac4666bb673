import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'versions.listed.accepted-everywhere';

/** The verdict on a server of agents that responds with these statuses to updates of an existing agent. */
async function verdictOn(statusOf: (hasVersion: boolean, countWithVersion: number) => number) {
  let countWithVersion = 0;
  const names = new Set<string>(['demo-agent']);
  await using server = await localServer(({ method, url, headers, body }) => {
    const { pathname } = new URL(url, 'http://server');
    if (pathname === '/v0/accounts') return { body: [] };
    if (!pathname.startsWith('/v0/agents')) return { status: 404, body: {} };
    const sent = body === '' ? {} : (JSON.parse(body) as { metadata?: { name?: string } });
    if (method === 'POST') names.add(sent.metadata?.name ?? '');
    if (method !== 'PUT') return { body: method === 'POST' ? sent : {} };
    if (!names.has(pathname.split('/').at(-1)!)) return { status: 404, body: {} };
    const hasVersion = headers['svc-version'] !== undefined;
    if (hasVersion) countWithVersion += 1;
    return { status: statusOf(hasVersion, countWithVersion), body: sent };
  });
  const ledgerFile = path.join(mkdtempSync(path.join(tmpdir(), 'assay-test-')), 'ledger.ndjson');
  const { context, close } = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, context);
  await close();
  expect(countWithVersion).toBeGreaterThan(0);
  return result.verdict;
}

test('an update with the listed version is accepted', async () => {
  expect(await verdictOn(() => 200)).toBe('passed');
});

test.each([400, 403, 409, 422])('an update that only the listed version makes %i fails', async (status) => {
  expect(await verdictOn((hasVersion) => (hasVersion ? status : 200))).toBe('failed');
});

test('an update that is refused without the version too shows nothing', async () => {
  expect(await verdictOn((_, count) => (count > 0 ? 403 : 200))).toBe('passed');
});

test('an update that is refused for a moment shows nothing', async () => {
  expect(await verdictOn((hasVersion, count) => (hasVersion && count === 1 ? 400 : 200))).toBe('passed');
});
