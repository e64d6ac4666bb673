/** Rules are not tried, and never passed, on a server that refuses everything or returns empty responses. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from './collect-cases.ts';
import { runCase } from './run-case.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const rules: readonly RequirementId[] = [
  'versions.default.absent-header-means-earliest-stable',
  'versions.listed.accepted-everywhere',
  'auth.schemes.jwt-and-api-key-accepted',
  'oauth.token.no-store',
  'oauth.token.is-a-jwt',
];

/** Two JSON objects and a signature. */
const JWT = `${btoa('{"alg":"EdDSA"}')}.${btoa('{"sub":"assay"}')}.c2ln`.replaceAll('=', '');

const credentials = {
  admin: { value: JWT, name: 'SVC_ADMIN_TOKEN' },
  apiKey: { value: 'marked-api-key', name: 'SVC_API_KEY' },
  scoped: {},
};

test.each(rules.flatMap((id) => [404, 500].map((status) => ({ id, status }))))(
  '$id is not tried if every response is $status',
  async ({ id, status }) => {
    // Before the run is opened: it judges by the rules that are loaded.
    const tried = (await collectCases([id])).get(id)!;
    await using server = await localServer(() => ({ status, body: { error: 'none' } }));
    const client = {
      id: 'assay',
      secret: { value: 'marked-secret', name: 'SVC_CLIENT_SECRET' },
      tokenUrl: `${server.address}/oauth/token`,
      authorizationUrl: `${server.address}/oauth/authorize`,
      redirectUri: 'http://127.0.0.1:8765/callback',
      scopes: ['agents:get'],
    };
    const run = openTestContext({ address: server.address, target: { credentials, client } });
    expect(await runCase(tried, run.context)).toMatchObject({ result: { id, verdict: 'not-tried' } });
    await run.close();
  },
);

interface Hollow {
  readonly respond: (received: ReceivedRequest) => LocalResponse;
  readonly rules: readonly RequirementId[];
}

/** Metrics without usage, or with the same usage in every response. */
function metrics({ url }: ReceivedRequest, data: readonly object[]): LocalResponse {
  const { searchParams } = new URL(url, 'http://a');
  const [startTime, endTime] = [searchParams.get('startTime'), searchParams.get('endTime')];
  const resolution = searchParams.get('resolution') ?? 'daily';
  const meta = { hasMore: false, nextCursor: '' };
  return { body: { values: [], startTime, endTime, resolution, summary: { totalCost: data.length }, data, meta } };
}

const group = {
  workspace: 'demo',
  resourceType: 'agent',
  resourceName: 'one',
  resourceUuid: 'one',
  billingDimension: 'agent_compute_runtime_gbs',
  summary: { cost: 1, usage: 1 },
  timeseries: [{ timestamp: '2026-10-01T00:00:00Z', cost: 1, usage: 1 }],
};

const hollow: Readonly<Record<string, Hollow>> = {
  'every response is {}': {
    respond: () => ({ status: 200, body: {} }),
    rules: [
      'naming.name.immutable',
      'naming.name.unique-in-workspace',
      'resources.read-only.never-taken-from-client',
      'agents.triggers.timeout-mk3-only',
      'agents.triggers.callback-secret-is-the-servers',
      'agents.update.idempotent',
      'integrations.get.provider-shape',
      'volume-templates.versions.count-agrees',
      'sandbox.tree.listing-shape',
    ],
  },
  'every caller with a credential gets 404': {
    respond: ({ headers }) => ({
      status: (headers['authorization'] ?? headers['x-svc-authorization']) === undefined ? 401 : 404,
      body: { error: 'none' },
    }),
    rules: [
      'versions.unknown.has-no-effect',
      'auth.scopes.admin-is-the-default',
      'auth.management.credential-required',
    ],
  },
  'every agent update and every unknown caller is refused': {
    respond: ({ method, headers }) => {
      const isKnown = (headers['authorization'] ?? headers['x-svc-authorization']) !== undefined;
      return { status: isKnown ? (method === 'PUT' ? 400 : 200) : 401, body: {} };
    },
    rules: ['auth.public-agent.never-on-mk2'],
  },
  'nothing was ever metered': {
    respond: (received) => metrics(received, []),
    rules: [
      'metrics.buckets.one-per-step-zeros-included',
      'metrics.buckets.step-lengths',
      'metrics.buckets.cover-the-window',
      'metrics.buckets.end-exclusive',
      'metrics.enums.resource-types-follow-window',
    ],
  },
  'metrics have one group of one bucket': {
    respond: (received) => metrics(received, [group]),
    rules: ['metrics.buckets.step-lengths', 'metrics.buckets.same-for-all-groups', 'metrics.group-by.entries-distinct'],
  },
  'every method of MCP is unknown': {
    respond: ({ body }) => {
      const { id = null } = JSON.parse(body || '{}') as { id?: unknown };
      return { body: { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } } };
    },
    rules: ['mcp.functions.unknown-method'],
  },
};

test.each(Object.entries(hollow).flatMap(([target, { rules: ids }]) => ids.map((id) => ({ id, target }))))(
  '$id is not tried if $target',
  async ({ id, target }) => {
    using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-hollow-'));
    const tried = (await collectCases([id])).get(id)!;
    await using server = await localServer(hollow[target]!.respond);
    const resources = {
      agent: 'demo-agent',
      function: 'demo-tools',
      sandbox: 'demo-box',
      integration: 'github',
      previewTokens: [{ sandbox: 'demo-box', preview: 'web', token: 't1' }],
      templateVersions: [{ template: 'demo-template', version: 'v1' }],
    };
    const unrelated = { value: `${JWT}x`, name: 'SVC_UNRELATED_TOKEN' };
    const run = openTestContext({
      address: server.address,
      allow: 'destroy',
      ledgerFile: path.join(folder.path, 'ledger'),
      target: { credentials: { ...credentials, unrelated }, resources },
    });
    expect(await runCase(tried, run.context)).toMatchObject({ result: { id, verdict: 'not-tried' } });
    await run.close();
  },
);
