/** versions.default.absent-header-means-earliest-stable on servers that add a member to some responses. */
import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const LISTED = '2026-04-16';

test.each<[string, (version: string | undefined, count: number) => boolean, string]>([
  ['every other response', (_, count) => count % 2 === 0, 'passed'],
  ['every response with the version', (version) => version !== undefined, 'failed'],
])('a server that adds a member to %s', async (_, adds, verdict) => {
  const id = 'versions.default.absent-header-means-earliest-stable';
  // Before the run is opened: it judges by the rules that are loaded.
  const tried = (await collectCases([id])).get(id)!;
  let count = 0;
  await using server = await localServer(({ headers, url }) => {
    const version = headers['svc-version'] as string | undefined;
    if (version !== undefined && version !== LISTED) return { status: 400, body: { error: 'invalid_api_version' } };
    if (!url.endsWith('/integrations/github')) return { status: 404, body: { error: 'not_found' } };
    return { body: { name: 'github', ...(adds(version, (count += 1)) && { debug: 'a1' }) } };
  });
  const run = openTestContext({ address: server.address, target: { resources: { integration: 'github' } } });
  expect(await runCase(tried, run.context)).toMatchObject({ result: { verdict } });
  await run.close();
});
