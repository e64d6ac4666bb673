/** A server whose updates are visible in the next read: what is wrong then stays wrong, and is not awaited for the whole patience. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { runOnTarget } from './testing/run-on-target.ts';

interface Agent {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: object;
}

type Lacks = (agent: Agent) => Agent;

/** Has one agent, which it updates and returns. */
function agentServer(lacks: Lacks) {
  const createdAt = '2026-01-01T00:00:07Z';
  let agent: Agent = { metadata: { name: 'first', createdAt, updatedAt: createdAt }, spec: {} };
  return localServer(({ method, url, headers, body }) => {
    if (headers.authorization !== 'Bearer secret') return { status: 401, body: { error: 'unauthorized', code: 401 } };
    if (!url.startsWith('/v0/agents/first')) return { status: 404, body: { error: 'not_found', code: 404 } };
    if (method === 'PUT') {
      const { metadata, spec } = JSON.parse(body) as Agent;
      const times = { createdAt, updatedAt: new Date().toISOString(), url: 'http://127.0.0.1/first' };
      agent = lacks({ metadata: { ...metadata, ...times }, spec });
    }
    return { status: 200, body: { ...agent, status: 'DEPLOYED' } };
  });
}

const PATIENCE_SECONDS = 60;

/**
 * `maxReads`: of the agent. Four more than measured, which are a second each once a wait has begun; a slow machine
 * reads less often in the same time.
 */
test.concurrent.each<[RequirementId, Lacks, 'failed' | 'not-tried', maxReads: number]>([
  [
    'resources.timestamps.update-moves-updated-at',
    ({ metadata, spec }) => ({ metadata: { ...metadata, updatedAt: metadata['createdAt'] }, spec }),
    'failed',
    18,
  ],
  [
    'resources.url.present-on-workloads',
    ({ metadata: { url: _, ...metadata }, spec }) => ({ metadata, spec }),
    'failed',
    20,
  ],
  ['agents.update.triggers-deployment', (agent) => agent, 'not-tried', 35],
])(
  '%s is not awaited',
  async (rule, lacks, verdict, maxReads) => {
    await using server = await agentServer(lacks);
    const target = {
      addresses: { management: `${server.address}/v0` },
      credentials: { admin: { value: 'secret' } },
      resources: { agent: 'first' },
      allow: 'destroy' as const,
    };
    const start = performance.now();
    const [outcome] = await runOnTarget(target, { selected: [rule], patienceSeconds: PATIENCE_SECONDS });
    expect(outcome?.result).toMatchObject({ verdict });
    const reads = server.received.filter(({ method, url }) => method === 'GET' && url.includes('/agents/first'));
    expect(reads.length).toBeLessThanOrEqual(maxReads);
    expect((performance.now() - start) / 1000).toBeLessThan(PATIENCE_SECONDS);
  },
  200_000,
);
