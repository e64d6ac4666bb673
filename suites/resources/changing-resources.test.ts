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

/** The read-only metadata of a written resource. */
type Metadata = (request: ReceivedRequest, count: number) => object;

/** Creates, updates and reads resources, whose read-only metadata are given. */
function respond(metadata: Metadata): (request: ReceivedRequest) => LocalResponse {
  const known = new Map<string, object>();
  let count = 0;
  return (request) => {
    const { method, url, body } = request;
    if (method === 'DELETE') return { status: known.delete(url) ? 200 : 404, body: {} };
    if (method === 'GET') {
      const resource = known.get(url);
      return resource === undefined ? { status: 404, body: {} } : { body: resource };
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

test.each<[string, Metadata, string]>([
  ['is the same everywhere', () => ({ plan: 'free' }), 'passed'],
  ['changes once', (_, count) => ({ plan: count > 2 ? 'pro' : 'free' }), 'passed'],
  ['is another one of VPCs', ({ url }) => ({ plan: url.includes('/vpcs') ? 'pro' : 'free' }), 'failed'],
  ['is another one of agents', ({ url }) => ({ plan: url.includes('/agents') ? 'pro' : 'free' }), 'failed'],
  ['changes twice', (_, count) => ({ plan: count % 2 === 0 ? 'pro' : 'free' }), 'failed'],
])('a plan that %s', async (_, metadata, verdict) => {
  expect(await verdictOf('resources.metadata.plan-is-the-same', metadata)).toBe(verdict);
});
