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

const RULE: RequirementId = 'volume-templates.versions.deleted';

/** Whether the version at this place, of those that a template has, cannot be deleted. */
type IsKept = (at: number, count: number) => boolean;

/** A server with volume templates. It keeps some versions. */
function templateServer(isKept: IsKept) {
  const templates = new Map<string, string[]>();
  const returned = (name: string) => ({
    metadata: { name },
    spec: {},
    state: { versionCount: templates.get(name)?.length },
    versions: templates.get(name)?.map((each) => ({ name: each, templateName: name })),
  });
  function remove(template: string, version: string): LocalResponse {
    const versions = templates.get(template) ?? [];
    const at = versions.indexOf(version);
    if (at === -1) return { status: 404, body: {} };
    if (isKept(at, versions.length)) return { status: 409, body: {} };
    versions.splice(at, 1);
    return { body: { message: 'deleted', template: returned(template) } };
  }
  return localServer(({ method, url, body }) => {
    const [, template = '', version] = /\/volume_templates\/([^/]+)(?:\/versions\/([^/]+))?/.exec(url) ?? [];
    if (method === 'DELETE' && version !== undefined) return remove(template, version);
    if (!templates.has(template) && template !== '') return { status: 404, body: {} };
    if (method !== 'POST') return { body: returned(template) };
    const sent = JSON.parse(body) as { name?: string; metadata?: { name: string } };
    if (sent.metadata !== undefined) templates.set(sent.metadata.name, []);
    else templates.get(template)?.push(sent.name!);
    return { status: 201, body: sent.metadata === undefined ? sent : returned(sent.metadata.name) };
  });
}

async function verdictOn(isKept: IsKept) {
  await using server = await templateServer(isKept);
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-test-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const run = openTestContext({ address: server.address, allow: 'write', ledgerFile });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  return result.verdict;
}

test.each<[string, IsKept]>([
  ['none', () => false],
  ['the newest', (at, count) => at === count - 1],
  ['the last one left', (_, count) => count === 1],
])('a server may keep of the versions: %s', async (_, isKept) => {
  expect(await verdictOn(isKept)).toBe('passed');
});

test.each<[string, IsKept]>([
  ['all', () => true],
  ['the oldest', (at) => at === 0],
  ['the last two', (_, count) => count <= 2],
])('a server must not keep of the versions: %s', async (_, isKept) => {
  expect(await verdictOn(isKept)).toBe('failed');
});
