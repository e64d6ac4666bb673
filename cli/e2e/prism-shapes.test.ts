/** Runs the rules about response shapes against Prism's mock, whose responses are the examples of the documents. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { KnownResources, TargetFile } from '../../spec/formats/target-file.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import type { PrismMocks } from './testing/prism-mocks.ts';
import { startPrismMocks } from './testing/prism-mocks.ts';
import { runOnTarget } from './testing/run-on-target.ts';

/** One answer alone keeps them: what is in it, of which types, and how its parts agree. Whatever is asked, an example does. */
const ofOneAnswer: readonly RequirementId[] = [
  'accounts.list.gives-account-id',
  'errors.version.body-shape',
  'functions.create.with-connection',
  'images.cleanup.answer-shape',
  'inference.agents.answers',
  'inference.models.answers',
  'inference.models.chat-completions',
  'integrations.get.provider-shape',
  'jobs.executions.accepted',
  'metrics.cost.always-there',
  'metrics.enums.group-by-values',
  'metrics.sums.group-is-sum-of-buckets',
  'metrics.usage.absent-otherwise',
  'resources.envelope.metadata-and-spec',
  'resources.events.record-shape',
  'resources.shapes.fit-the-schema',
  'resources.status.known-value',
  'resources.timestamps.ordered',
  'resources.url.present-on-workloads',
  'sandbox.multipart.list-shape',
];

/** The same, of an integration that the example of the other rules is not. */
const ofMailIntegration: readonly RequirementId[] = ['integrations.connections.create-succeeds'];

/** Every validator refuses requests that the schemas of the documents forbid. */
const ofRequests: readonly RequirementId[] = [
  'agents.runtime.generation-known',
  'agents.triggers.schedule-five-fields',
  'agents.triggers.timeout-at-most-900',
  'agents.triggers.type-known',
  'agents.update.envelope-required',
  'agents.update.wrong-type-400',
  'agents.volumes.mount-path-absolute',
  'auth.headers.authorization-accepted-on-every-api',
  'auth.headers.brand-authorization-accepted-on-every-api',
  'auth.update-agent.missing-credential-401',
  'metrics.enums.resource-types-window-required',
  'metrics.filters.billing-dimension-known',
  'metrics.group-by.at-most-three',
  'metrics.group-by.unknown-refused',
  'metrics.parameters.timestamps-rfc3339',
  'metrics.parameters.window-required',
  'metrics.resolution.unknown-refused',
  'naming.display-name.over-63-rejected',
  'naming.name.other-characters-rejected',
  'naming.name.required',
  'vpcs.create.envelope-required',
];

/** Rules about shapes that Prism's mock cannot keep, and why. */
const beyondPrism: Partial<Record<RequirementId, string>> = {
  'errors.management.body-shape': "malformed JSON makes Prism's server hang",
  'errors.sandbox.body-shape':
    'a path with slashes is one of no operation to Prism, which says so in a form of its own',
  'sandbox.tree.listing-shape': 'a path with slashes is one of no operation to Prism',
  'metrics.answer.shape-and-echo': 'an example echoes no window',
};

let mocks: PrismMocks;
beforeAll(async () => {
  mocks = await startPrismMocks();
});
afterAll(async () => {
  await mocks[Symbol.asyncDispose]();
});

const known: KnownResources = {
  agent: 'demo-agent',
  model: 'demo-model',
  job: 'demo-job',
  sandbox: 'demo-box',
  volume: { name: 'demo-volume', region: 'local' },
  connection: 'demo-connection',
  integration: 'github',
};

/** Prism asks for a credential, and for no certain one. */
const target = (resources: KnownResources): TargetFile => ({
  addresses: mocks.addresses,
  workspace: 'demo',
  credentials: { admin: { value: 'any.jwt.will-do' }, apiKey: { value: 'any-key-will-do' } },
  resources,
  metrics: { window: { start: '2026-10-01T00:00:00Z', end: '2026-10-03T00:00:00Z' } },
  allow: 'destroy',
});

async function tryOut(selected: readonly RequirementId[], resources = known): Promise<RuleResult[]> {
  const outcomes = await runOnTarget(target(resources), { seed: 1, runs: 8, patienceSeconds: 1, selected });
  return outcomes.map(({ result }) => result);
}

test.each([
  ['one answer', ofOneAnswer, known],
  ['the mail integration', ofMailIntegration, { ...known, mailIntegration: 'google-mail' }],
  ['what a request may be', ofRequests, known],
])('a mock that knows the documents alone keeps the rules of %s', async (_, selected, resources) => {
  const results = await tryOut(selected, resources);
  expect(results.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect(results.map(({ id }) => id).sort()).toEqual(selected);
});

test('every rule about a shape is tried, or has a reason why not', () => {
  const ofShape = requirements.filter(({ id, level }) => level === 'must' && /shape/.test(id)).map(({ id }) => id);
  expect(ofShape.filter((id) => !ofOneAnswer.includes(id)).sort()).toEqual(Object.keys(beyondPrism).sort());
});

test('a rule about several groups is not tried there', async () => {
  const [result] = await tryOut(['metrics.sums.total-is-sum-of-groups']);
  expect(result).toMatchObject({ verdict: 'not-tried', reason: 'a grouping with more than one group' });
});

test('a rule about memory fails there', async () => {
  const [result] = await tryOut(['images.cleanup.second-deletes-none']);
  expect(result).toMatchObject({ verdict: 'failed' });
});
