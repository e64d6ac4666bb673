/** A route that a server does not have is found without waiting for it; one that begins to work late is waited for. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyTarget } from './testing/picky-target.ts';
import type { PickyRequest } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const ofUpdates = [
  'agents.update.round-trip',
  'agents.update.unknown-404',
  'auth.update-agent.missing-credential-401',
] as const satisfies RequirementId[];

/** `routed`: the status of a request in place of the response of a conforming server. `sent`: what came. */
async function outcomesOn(
  rules: readonly RequirementId[],
  routed: (request: PickyRequest) => number | undefined,
  patienceSeconds = 60,
) {
  const sent: PickyRequest[] = [];
  await using mock = await startMock({ sandboxUrls: 'path' });
  await using picky = await pickyTarget(mock.target, () => false, {
    routed(request) {
      sent.push(request);
      return routed(request);
    },
  });
  const target = { ...picky.target, allow: 'write' as const };
  const startedMs = performance.now();
  const outcomes = await runOnTarget(target, { selected: rules, isQuick: true, patienceSeconds });
  const results = outcomes.map(({ result }) => result).toSorted((a, b) => a.id.localeCompare(b.id));
  return { results, sent, seconds: (performance.now() - startedMs) / 1000 };
}

const isUpdate = ({ method, path }: PickyRequest): boolean => method === 'PUT' && /\/v0\/agents\//.test(path);
const isOfAgents = (request: PickyRequest): boolean =>
  isUpdate(request) || (request.method !== 'GET' && /\/v0\/agents(\/|$)/.test(request.path));

test.each([
  [404, 'with POST and DELETE', isUpdate],
  [405, 'with POST and DELETE', isUpdate],
  [405, 'without them', isOfAgents],
  [501, 'without them', isOfAgents],
])('a missing PUT of agents (%d), %s, is found within a few requests', async (status, _, isMissing) => {
  const { results, sent, seconds } = await outcomesOn(ofUpdates, (request) =>
    isMissing(request) ? status : undefined,
  );
  const reason = `waits for PUT /agents/{agentName}, which is not implemented (${status})`;
  expect(results.map((result) => result.reason)).toEqual(ofUpdates.map(() => reason));
  // Waiting for two agents would take twice as many.
  expect(sent.filter(isUpdate).length).toBeLessThan(80);
  expect(seconds).toBeLessThan(30);
});

// The response to an unknown agent is then that of an unknown path.
test('an update of an unknown agent shows nothing on a server without agents', async () => {
  const { results } = await outcomesOn(['agents.update.unknown-404'], ({ path }) =>
    /\/v0\/agents(\/|$)/.test(path) ? 404 : undefined,
  );
  expect(results[0]?.verdict).toBe('not-tried');
});

const rulesOfOthers: [string, RequirementId][] = [
  ['POST /vpcs', 'vpcs.create.answers-resource'],
  ['POST /functions', 'functions.create.with-connection'],
  ['POST /jobs/demo-job/executions', 'jobs.executions.accepted'],
];

test.each(rulesOfOthers.flatMap(([route, id]) => [404, 405].map((status) => ({ route, id, status }))))(
  '$status of $route is not waited for',
  async ({ route, id, status }) => {
    const [method, path = ''] = route.split(' ');
    const isMissing = (request: PickyRequest): boolean => request.method === method && request.path.endsWith(path);
    const { results, sent, seconds } = await outcomesOn([id], (each) => (isMissing(each) ? status : undefined));
    expect(results[0]?.verdict).not.toBe('passed');
    expect(sent.filter(isMissing).length).toBeLessThan(12);
    expect(seconds).toBeLessThan(30);
  },
);

test.each([
  ['neither reads nor updates know', (request: PickyRequest) => /\/v0\/agents\/assay-/.test(request.path)],
  ['updates do not know', (request: PickyRequest) => isUpdate(request) && request.path.includes('/assay-')],
])('a deployment of which %s a new agent for five seconds passes', async (_, isLate) => {
  let firstMs: number | undefined;
  const { results } = await outcomesOn(
    ofUpdates,
    (request) => {
      if (!isLate(request)) return undefined;
      firstMs ??= performance.now();
      return performance.now() - firstMs < 5000 ? 404 : undefined;
    },
    20,
  );
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual(ofUpdates.map((id) => [id, 'passed']));
});
