/** A server whose updates are visible in the next read: what is wrong then stays wrong, and is not awaited for the whole patience. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { localServer } from '../../suites/testing/local-server.ts';
import { runOnTarget } from './testing/run-on-target.ts';

interface Agent {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: object;
}

interface Moment {
  readonly isRead: boolean;
  /** Since the last update. */
  readonly ageMs: number;
}

/** What the server returns of its agent. */
type Shows = (agent: Agent, moment: Moment) => Agent;

/** Has one agent, which it updates at once. */
function agentServer(shows: Shows) {
  const createdAt = '2026-01-01T00:00:07Z';
  let updatedMs = 0;
  let agent: Agent = { metadata: { name: 'first', createdAt, updatedAt: createdAt }, spec: {} };
  return localServer(({ method, url, headers, body }) => {
    if (headers.authorization !== 'Bearer secret') return { status: 401, body: { error: 'unauthorized', code: 401 } };
    if (!url.startsWith('/v0/agents/first')) return { status: 404, body: { error: 'not_found', code: 404 } };
    const isRead = method !== 'PUT';
    if (!isRead) {
      const { metadata, spec } = JSON.parse(body) as Agent;
      const times = { createdAt, updatedAt: new Date().toISOString(), url: 'http://127.0.0.1/first' };
      updatedMs = performance.now();
      agent = { metadata: { ...metadata, ...times }, spec };
    }
    const ageMs = performance.now() - updatedMs;
    return { status: 200, body: { ...shows(agent, { isRead, ageMs }), status: 'DEPLOYED' } };
  });
}

const PATIENCE_SECONDS = 60;

async function runOn(rule: RequirementId, shows: Shows) {
  await using server = await agentServer(shows);
  const target = {
    addresses: { management: `${server.address}/v0` },
    credentials: { admin: { value: 'secret' } },
    resources: { agent: 'first' },
    allow: 'destroy' as const,
  };
  const start = performance.now();
  const [outcome] = await runOnTarget(target, { selected: [rule], patienceSeconds: PATIENCE_SECONDS });
  const reads = server.received.filter(({ method, url }) => method === 'GET' && url.includes('/agents/first'));
  return { result: outcome?.result, reads, seconds: (performance.now() - start) / 1000 };
}

/** Reads lack a label that the response to an update has. */
const losesLabel: Shows = ({ metadata: { labels = {}, ...metadata }, spec }, { isRead }) => {
  const { team, ...others } = labels as { team?: string };
  const kept = isRead || team === undefined ? others : { ...others, team };
  return { metadata: { ...metadata, labels: kept }, spec };
};

/**
 * `maxReads`: of the agent. Four more than measured, which are a second each once a wait has begun; a slow machine
 * reads less often in the same time.
 */
test.concurrent.each<[RequirementId, Shows, 'failed' | 'not-tried', maxReads: number]>([
  ['naming.labels.string-values', losesLabel, 'failed', 18],
  [
    'resources.url.present-on-workloads',
    ({ metadata: { url: _, ...metadata }, spec }) => ({ metadata, spec }),
    'failed',
    20,
  ],
  ['agents.update.triggers-deployment', (agent) => agent, 'not-tried', 35],
])(
  '%s is not awaited',
  async (rule, shows, verdict, maxReads) => {
    const { result, reads, seconds } = await runOn(rule, shows);
    expect(result).toMatchObject({ verdict });
    expect(reads.length).toBeLessThanOrEqual(maxReads);
    expect(seconds).toBeLessThan(PATIENCE_SECONDS);
  },
  200_000,
);

test('updatedAt may move later than the rest of an update', async () => {
  let last: unknown;
  const { result } = await runOn('resources.timestamps.update-moves-updated-at', ({ metadata, spec }, { ageMs }) => {
    if (last === undefined || ageMs > 5000) last = metadata['updatedAt'];
    return { metadata: { ...metadata, updatedAt: last }, spec };
  });
  expect(result).toMatchObject({ verdict: 'passed' });
});
