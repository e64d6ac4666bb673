/** The reasons of rules that a server under construction cannot be tried with name the response in the way and the next step. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { changeMock } from '../../mock/testing/control-client.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { adviceFor, dependsOnTarget } from '../../spec/requirements/need-advice.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { runOnTarget } from './testing/run-on-target.ts';

type Resources = NonNullable<TargetFile['resources']>;

/** The result of the rule, which is not tried, on a server that returns a status to these operations. */
async function resultOf(
  rule: RequirementId,
  missing: readonly string[],
  allow: 'read' | 'write' | 'destroy',
  change = (resources: Resources): Resources => resources,
  addresses = (given: TargetFile['addresses']): TargetFile['addresses'] => given,
  status = 404,
) {
  await using mock = await startMock();
  const rules = missing.map((operation) => ({ operation, status }));
  await changeMock(mock.addresses.host, 'PUT', '/faults', { rules });
  const target = {
    ...mock.target,
    allow,
    resources: change(mock.target.resources ?? {}),
    addresses: addresses(mock.target.addresses),
  };
  const [outcome] = await runOnTarget(target, { selected: [rule], isQuick: true, patienceSeconds: 0 });
  expect(outcome?.result.verdict).toBe('not-tried');
  return outcome!.result;
}

const reasonOf = async (...situation: Parameters<typeof resultOf>): Promise<string | undefined> =>
  (await resultOf(...situation)).reason;

const ofStrangers = 'auth.data-plane.credential-required';

const withoutSandbox = ({ sandbox: _, ...others }: TargetFile['addresses']): TargetFile['addresses'] => others;

const ofAgents = ['createAgent', 'getAgent', 'listAgents', 'updateAgent', 'deleteAgent'];

test('without agents: which operations to answer, or which resource to name', async () => {
  const reason = await reasonOf('agents.runtime.generation-known', ofAgents, 'write', ({ agent: _, ...rest }) => rest);
  expect(reason).toBe(
    'an agent of generation mk2 (POST /agents returned 404): answer POST /agents and PUT /agents/{agentName}, or set resources.agent in the target file',
  );
});

test('without updates: not the value that an update has', async () => {
  const reason = await reasonOf('agents.triggers.accepted-tasks-returned', ofAgents, 'destroy');
  expect(reason).toContain('404');
  expect(reason).not.toContain('samples.tasks');
});

test('without an agent that responds: what it returned', async () => {
  const reason = await reasonOf('inference.agents.threads-separate', ['queryAgent'], 'read');
  expect(reason).toMatch(/^an agent that responds with 2xx: demo-agent returned 404/);
});

test('without integrations: what was returned', async () => {
  const reason = await reasonOf('integrations.get.entries-identified', ['getIntegration'], 'read');
  expect(reason).toMatch(
    /^an organization or repository of an integration: GET (\/integrations\/\S+) returned 404; answer GET \1 with success$/,
  );
});

test('at another address than that of the target file: the url of the agent', async () => {
  const reason = await reasonOf('resources.url.serves-the-agent', [], 'write', undefined, (given) => ({
    ...given,
    inference: given.inference!.replace('127.0.0.1', 'localhost'),
  }));
  expect(reason).toMatch(
    /^an agent that responds .*: its url is "http:\/\/127\.0\.0\.1:\S+", and addresses\.inference in the target file http:\/\/localhost:\d+$/,
  );
});

test('without a data plane to call: what to add', async () => {
  const reason = await reasonOf(ofStrangers, [], 'read', () => ({}), withoutSandbox);
  expect(adviceFor(reason!)).toMatch(/^add an agent, model, function or job to resources of the target file/);
});

test('without a data plane to call but a job, in a run that only reads: that a job needs more', async () => {
  const reason = await reasonOf(ofStrangers, [], 'read', () => ({ job: 'demo-job' }), withoutSandbox);
  expect(reason).toMatch(/^write/);
});

test.each([
  ['agents that can be created', ofAgents, 404, /POST \/agents returned 404.*answer POST \/agents/],
  [
    'agents that respond',
    ['queryAgent'],
    500,
    /POST \/\{workspace\}\/agents\/\{agent\} returned 500\): answer POST \/\{workspace\}\/agents\/\{agent\}/,
  ],
])('without a data plane to call, or %s: what was returned', async (_, operations, status, expected) => {
  const { reason, missing } = await resultOf(ofStrangers, operations, 'write', () => ({}), withoutSandbox, status);
  expect(reason).toMatch(expected);
  expect(dependsOnTarget(missing ?? reason!)).toBe(true);
});
