import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE: RequirementId = 'sandboxes.preview-tokens.deleted-once';

interface Behaviour {
  /** Tokens that are refused at first, because the preview is being created. */
  readonly earlyTokens?: number;
  /** Whether the server names the tokens itself. */
  readonly names?: boolean;
  /** Deletions that are refused at first, because the preview is not deployed. */
  readonly conflicts?: number;
  /** Whether a new token of a preview replaces the one before it. */
  readonly replaces?: boolean;
  /** Whether all deletions of a token but the first one are refused although it is deleted. */
  readonly loses?: boolean;
  /** Until a deletion has an effect. */
  readonly delayMs?: number;
  readonly patienceSeconds?: number;
}

async function resultWith({
  earlyTokens = 0,
  names = false,
  conflicts = 0,
  replaces = false,
  loses = false,
  delayMs = 0,
  patienceSeconds = 2,
}: Behaviour) {
  const going = new Map<string, number>();
  const tokens = new Map<string, Set<string>>();
  let early = 0;
  let named = 0;
  let refused = 0;
  let deleted = 0;
  await using server = await localServer(({ method, url, body }) => {
    const [, preview = '', token] = /\/sandboxes\/(.+\/previews\/[^/]+)(?:\/tokens(?:\/([^/]+))?)?$/.exec(url) ?? [];
    const { name = '' } = (JSON.parse(body || '{}') as { metadata?: { name?: string } }).metadata ?? {};
    if (method === 'POST' && preview === '') return { body: { metadata: { name } } };
    if (method === 'POST' && url.endsWith('/tokens')) {
      if (early < earlyTokens) {
        early += 1;
        return { status: 409, body: { error: 'the preview is being created', code: 409 } };
      }
      const ownName = names ? `pt-${(named += 1)}` : name;
      const before = replaces ? [] : (tokens.get(preview) ?? []);
      tokens.set(preview, new Set([...before, ownName]));
      return { body: { metadata: { name: ownName } } };
    }
    if (method === 'POST') return { body: { metadata: { name } } };
    if (method !== 'DELETE' || token === undefined) return { status: method === 'DELETE' ? 200 : 404, body: {} };
    if (refused < conflicts) {
      refused += 1;
      return { status: 409, body: { error: 'the preview is DEPLOYING', code: 409 } };
    }
    const isThere = tokens.get(preview)?.has(token) === true;
    if (isThere && performance.now() < (going.get(token) ?? Infinity)) {
      if (!going.has(token)) going.set(token, performance.now() + delayMs);
      if (delayMs > 0) return { body: { message: 'scheduled' } };
    }
    const isFound = tokens.get(preview)?.delete(token) === true && delayMs === 0;
    if (isFound) deleted += 1;
    return isFound && (!loses || deleted === 1)
      ? { body: { message: 'deleted' } }
      : { status: 404, body: { error: 'none', code: 404 } };
  });
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-test-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const target = { resources: { sandbox: 'box' } };
  const run = openTestContext({ address: server.address, allow: 'write', ledgerFile, target, patienceSeconds });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  return result;
}

test.each<[string, Behaviour, string]>([
  ['delete tokens at once', {}, 'passed'],
  ['refuse to delete them while the preview is deployed', { conflicts: 3 }, 'passed'],
  ['keep one token of each preview', { replaces: true }, 'passed'],
  ['refuse tokens of a preview that is being created', { earlyTokens: 3 }, 'passed'],
  ['name the tokens itself', { names: true }, 'passed'],
  ['delete them later', { delayMs: 5500, patienceSeconds: 6 }, 'passed'],
])('a server may %s', async (_, behaviour, verdict) => {
  expect(await resultWith(behaviour)).toMatchObject({ verdict });
});

test('a server must delete a token within the patience', async () => {
  const counterexample = { waitedSeconds: 5 };
  const behaviour = { delayMs: 60_000, patienceSeconds: 5 };
  expect(await resultWith(behaviour)).toMatchObject({ verdict: 'failed', counterexample });
});

test.each([false, true])('a server must say that a token was deleted; it names them: %s', async (names) => {
  expect(await resultWith({ loses: true, names })).toMatchObject({ verdict: 'failed' });
});
