/** Rules about what all resources have in common, on servers whose account or agents change meanwhile. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { fieldsOf } from '../json/fields.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

/** The read-only metadata of a resource in a response, after so many writes. Undefined if it cannot be read. */
type Metadata = (request: ReceivedRequest, count: number) => object | undefined;

/** Creates, updates and reads resources, whose read-only metadata are given. */
function respond(metadata: Metadata): (request: ReceivedRequest) => LocalResponse {
  const known = new Map<string, { readonly metadata: object }>();
  let count = 0;
  return (request) => {
    const { method, url, body } = request;
    if (method === 'DELETE') return { status: known.delete(url) ? 200 : 404, body: {} };
    if (method === 'GET') {
      const [resource, current] = [known.get(url), metadata(request, count)];
      if (resource === undefined || current === undefined) return { status: 404, body: {} };
      return { body: { ...resource, metadata: { ...resource.metadata, ...current } } };
    }
    const sent = fieldsOf(JSON.parse(body)) ?? {};
    const own = fieldsOf(sent['metadata']) ?? {};
    const resource = {
      ...sent,
      metadata: { ...own, ...metadata(request, (count += 1)) },
      status: 'DEPLOYED',
      events: [],
    };
    known.set(method === 'PUT' ? url : `${url}/${String(own['name'])}`, resource);
    return { body: resource };
  };
}

async function verdictOf(id: RequirementId, metadata: Metadata): Promise<string> {
  // Before the run is opened: it judges by the rules that are loaded.
  const tried = (await collectCases([id])).get(id)!;
  await using server = await localServer(respond(metadata));
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-changing-'));
  const ledgerFile = path.join(folder.path, 'ledger');
  const run = openTestContext({ address: server.address, allow: 'destroy', ledgerFile, target: { resources: {} } });
  const { result } = await runCase(tried, run.context);
  await run.close();
  return result.verdict === 'not-tried' ? `not tried: ${result.reason}` : result.verdict;
}

test.concurrent.each<[string, Metadata, string]>([
  ['is the same everywhere', () => ({ plan: 'free' }), 'passed'],
  ['changes once', (_, count) => ({ plan: count > 2 ? 'pro' : 'free' }), 'passed'],
  ['is another one of VPCs', ({ url }) => ({ plan: url.includes('/vpcs') ? 'pro' : 'free' }), 'failed'],
  ['is another one of agents', ({ url }) => ({ plan: url.includes('/agents') ? 'pro' : 'free' }), 'failed'],
  ['changes twice', (_, count) => ({ plan: count % 2 === 0 ? 'pro' : 'free' }), 'failed'],
])('a plan that %s', async (_, metadata, verdict) => {
  expect(await verdictOf('resources.metadata.plan-is-the-same', metadata)).toBe(verdict);
});

const timed = (updatedAt: number): object => ({ updatedAt: new Date(updatedAt).toISOString() });
const DEPLOYMENT_MS = 1500;
const SECOND_MS = 1000;

/** Moves when the deployment of the last update ends. */
function movesLate(): Metadata {
  let lastUpdate = Date.now();
  let updatedAt = lastUpdate;
  return ({ method }) => {
    if (Date.now() - lastUpdate > DEPLOYMENT_MS) updatedAt = lastUpdate;
    if (method === 'PUT') lastUpdate = Date.now();
    return timed(updatedAt);
  };
}

const hidden =
  (metadata: Metadata): Metadata =>
  (request, count) =>
    request.method === 'GET' ? undefined : metadata(request, count);

test.concurrent.each<[string, Metadata, string]>([
  ['moves at once', () => timed(Date.now()), 'passed'],
  ['moves when the deployment ends', movesLate(), 'passed'],
  ['never moves', () => timed(SECOND_MS), 'failed'],
  ['moves back', (_, count) => timed(-10_000 * count), 'failed'],
  ['never moves, and cannot be read', hidden(() => timed(SECOND_MS)), 'failed'],
  ['moves only in reads', ({ method }) => timed(method === 'GET' ? Date.now() : SECOND_MS), 'failed'],
  [
    'is rounded to minutes',
    () => timed(0),
    'not tried: timestamps with seconds: the target rounds createdAt and updatedAt to minutes, in which several updates fit',
  ],
  ['moves when the deployment ends, and cannot be read', hidden(movesLate()), 'passed'],
])('an updatedAt that %s', async (_, metadata, verdict) => {
  expect(await verdictOf('resources.timestamps.update-moves-updated-at', metadata)).toBe(verdict);
});
