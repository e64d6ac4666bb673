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

/** What a deletion returns, and when it takes effect. */
interface Effect {
  readonly returnsBefore?: boolean;
  readonly deletesAfterMs?: number;
  /** Until then a new version cannot be deleted. */
  readonly uploadedAfterMs?: number;
  /** Only the newest ones are kept. */
  readonly maxVersions?: number;
  /** Only the newest ones are listed. */
  readonly listedCount?: number;
  /** Added to the count. */
  readonly miscount?: number;
}

/** A server with volume templates. It keeps some versions. */
function templateServer(isKept: IsKept, effect: Effect) {
  const { returnsBefore = false, deletesAfterMs = 0, uploadedAfterMs = 0, maxVersions = Infinity } = effect;
  const { listedCount = Infinity, miscount = 0 } = effect;
  const templates = new Map<string, string[]>();
  let lastUpload = 0;
  const returned = (name: string) => ({
    metadata: { name },
    spec: {},
    state: { versionCount: (templates.get(name) ?? []).length + miscount },
    versions: templates
      .get(name)
      ?.slice(-listedCount)
      .map((each) => ({ name: each, templateName: name })),
  });
  function remove(template: string, version: string): LocalResponse {
    const versions = templates.get(template) ?? [];
    const at = versions.indexOf(version);
    if (at === -1) return { status: 404, body: {} };
    if (isKept(at, versions.length) || performance.now() < lastUpload + uploadedAfterMs)
      return { status: 409, body: {} };
    const before = returned(template);
    const removeNow = (): void => void versions.splice(versions.indexOf(version), 1);
    if (deletesAfterMs === 0) removeNow();
    else if (deletesAfterMs < Infinity) setTimeout(removeNow, deletesAfterMs);
    return { body: { message: 'deleted', template: returnsBefore ? before : returned(template) } };
  }
  return localServer(({ method, url, body }) => {
    const [, template = '', version] = /\/volume_templates\/([^/]+)(?:\/versions\/([^/]+))?/.exec(url) ?? [];
    if (method === 'DELETE' && version !== undefined) return remove(template, version);
    if (!templates.has(template) && template !== '') return { status: 404, body: {} };
    if (method !== 'POST') return { body: returned(template) };
    const sent = JSON.parse(body) as { name?: string; metadata?: { name: string } };
    if (sent.metadata !== undefined) templates.set(sent.metadata.name, []);
    else {
      const versions = templates.get(template)!;
      versions.push(sent.name!);
      if (versions.length > maxVersions) versions.shift();
      lastUpload = performance.now();
    }
    return { status: 201, body: sent.metadata === undefined ? sent : returned(sent.metadata.name) };
  });
}

async function resultOn(isKept: IsKept, effect: Effect = {}, { rule = RULE, patienceSeconds = 2 } = {}) {
  await using server = await templateServer(isKept, effect);
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-test-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const run = openTestContext({ address: server.address, allow: 'write', ledgerFile, patienceSeconds });
  const { result } = await runCase((await collectCases([rule])).get(rule)!, run.context);
  await run.close();
  return result;
}

const verdictOn = async (...parameters: Parameters<typeof resultOn>) => (await resultOn(...parameters)).verdict;

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

test.each<[string, Effect]>([
  ['the template before', { returnsBefore: true }],
  ['it takes effect half a second later', { deletesAfterMs: 500 }],
])('a deletion may return a template that lists the version: %s', async (_, effect) => {
  expect(await verdictOn(() => false, effect)).toBe('passed');
});

test.each<[string, Effect]>([
  ['refuse to delete a version while it is uploaded', { uploadedAfterMs: 500 }],
  ['keep only the newest versions', { maxVersions: 2 }],
])('a server may %s', async (_, effect) => {
  expect(await verdictOn(() => false, effect)).toBe('passed');
});

test.each<[string, Effect, string]>([
  ['some versions', { listedCount: 2 }, 'passed'],
  ['some versions, and miscounts them', { listedCount: 2, miscount: 1 }, 'failed'],
  ['all versions, and counts more', { miscount: 1 }, 'failed'],
])('a server that lists %s', async (_, effect, verdict) => {
  expect(await verdictOn(() => false, effect, { rule: 'volume-templates.versions.count-agrees' })).toBe(verdict);
});

test.each<[string, Effect]>([
  ['is never deleted', { deletesAfterMs: Infinity }],
  ['is never deleted, and listed', { deletesAfterMs: Infinity, returnsBefore: true }],
])('a server fails if the version %s', async (_, effect) => {
  expect(await verdictOn(() => false, effect)).toBe('failed');
});

test('the failure of a deletion that was waited for says so', async () => {
  const { counterexample } = await resultOn(() => false, { deletesAfterMs: Infinity }, { patienceSeconds: 5 });
  expect(counterexample?.waitedSeconds).toBeGreaterThanOrEqual(5);
});
