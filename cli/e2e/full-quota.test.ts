/** A create that is refused for a reason outside the request is not a verdict on the target (decision 055). */
import { expect, test } from 'vitest';
import { changeMock } from '../../mock/testing/control-client.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { mailSecretKeys } from '../../spec/values.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyTarget } from './testing/picky-target.ts';
import type { Fields, Refuses } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

test.each([
  ['vpcs.create.answers-resource', 'createVpc'],
  ['integrations.connections.create-succeeds', 'createIntegrationConnection'],
  ['functions.create.with-connection', 'createFunction'],
] as const)(
  '%s is not tried where a quota is full, and fails where a valid create is refused',
  async (rule, create) => {
    await using mock = await startMock();
    const verdictFor = async (status: number, message = 'no') => {
      const script = { match: { operation: create }, sequence: [{ status, body: { error: message } }] };
      await changeMock(mock.addresses.host, 'PUT', '/responses', { responses: [script] });
      const [outcome] = await runOnTarget({ ...mock.target, allow: 'write' }, { selected: [rule], patienceSeconds: 0 });
      return outcome?.result.verdict;
    };
    const quota = 'The workspace has reached its limit of 3 resources of this kind.';
    const refused: readonly (readonly [number, string?])[] = [
      [402],
      [400, quota],
      [409, quota],
      [400],
      [400, 'over 40'],
    ];
    const verdicts = [];
    for (const [status, message] of refused) verdicts.push(await verdictFor(status, message));
    expect(verdicts).toEqual(['not-tried', 'not-tried', 'not-tried', 'failed', 'failed']);
  },
);

test('a refused create with an API key names the workspace as missing if the target file has no workspace', async () => {
  await using mock = await startMock();
  await changeMock(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation: 'createVpc', status: 400 }] });
  const { workspace: _, credentials, ...target } = mock.target;
  const [outcome] = await runOnTarget(
    { ...target, credentials: { apiKey: credentials.apiKey }, allow: 'write' },
    { selected: ['vpcs.create.answers-resource'], patienceSeconds: 0 },
  );
  expect(outcome?.result.reason).toContain('the workspace of the target');
});

test.each([
  ['vpcs.create.answers-resource', 'createVpc', 409, 'samples.vpcSpec'],
  ['integrations.connections.create-succeeds', 'createIntegrationConnection', 424, 'samples.connectionSecrets'],
  ['integrations.connections.create-succeeds', 'createIntegrationConnection', 401, 'samples.connectionSecrets'],
] as const)(
  '%s names the sample that %s may need, whatever the refusal is: %i',
  async (rule, operation, status, sample) => {
    await using mock = await startMock();
    const script = { match: { operation }, sequence: [{ status, body: { error: 'no' } }] };
    await changeMock(mock.addresses.host, 'PUT', '/responses', { responses: [script] });
    const reasonWith = async (samples: TargetFile['samples']) => {
      const target = { ...mock.target, samples: { ...samples }, allow: 'write' } as const;
      const [outcome] = await runOnTarget(target, { selected: [rule], patienceSeconds: 0 });
      return `${outcome?.result.verdict}: ${outcome?.result.reason}`;
    };
    expect(await reasonWith(undefined)).toMatch(new RegExp(`^not-tried: .*set ${sample} .*status ${status}: "no"`));
    const given = {
      vpcSpec: { region: 'local' },
      connectionSecrets: { 'google-mail': Object.fromEntries(mailSecretKeys.map((key) => [key, { value: 'a' }])) },
    };
    expect(await reasonWith(given)).toMatch(/^failed/);
  },
);

test.each([
  ['vpcs.create.answers-resource', '/vpcs'],
  ['integrations.connections.create-succeeds', '/integrations/connections'],
] as const)('%s passes if a target allows one at a time, and another one was there at first', async (rule, path) => {
  await using mock = await startMock();
  let count = 0;
  const refuses: Refuses = (_, { method, path: own }) => method === 'POST' && own.endsWith(path) && (count += 1) <= 2;
  await using target = await pickyTarget(mock.target, refuses, { statusOfCreates: 409 });
  const file = { ...target.target, allow: 'write' } as const;
  const [outcome] = await runOnTarget(file, { selected: [rule], runs: 2, patienceSeconds: 1 });
  expect([outcome?.result.verdict, outcome?.result.reason, count > 2]).toEqual(['passed', undefined, true]);
});

const isCreate = (path: string): boolean => /\/(vpcs|functions|connections)$/.test(path);

async function resultsOn(refuses: Refuses, status: number, selected: readonly RequirementId[]) {
  await using mock = await startMock();
  await using target = await pickyTarget(mock.target, refuses, { statusOfCreates: status });
  const outcomes = await runOnTarget({ ...target.target, allow: 'write' }, { selected, runs: 12, patienceSeconds: 1 });
  return outcomes.map(({ result: { id, verdict } }) => [id, verdict]);
}

test.each([403, 507])('a quota that is full for two creates of five (%i) fails no rule', async (status) => {
  let count = 0;
  const refuses: Refuses = (_, { method, path }) => method === 'POST' && isCreate(path) && (count += 1) % 5 < 2;
  const rules: RequirementId[] = [
    'naming.name.at-most-49',
    'naming.display-name.up-to-63-accepted',
    'integrations.connections.create-succeeds',
  ];
  const results = await resultsOn(refuses, status, rules);
  expect(results.filter(([, verdict]) => verdict !== 'passed' && verdict !== 'not-tried')).toEqual([]);
});

/** Refuses values that the interface defines, with the status of a full quota. */
const broken: readonly (readonly [RequirementId, (spec: Fields, metadata: Fields, path: string) => boolean])[] = [
  ['naming.name.at-most-49', (_, { name }) => String(name).length === 49],
  ['naming.display-name.up-to-63-accepted', (_, { displayName }) => String(displayName).length === 63],
  [
    'functions.create.with-connection',
    ({ integrationConnections: names = 'demo' }) => !String(names).startsWith('demo'),
  ],
];

test.each(broken.flatMap((each) => [403, 409].map((status) => [...each, status] as const)))(
  '%s fails if a value that it is about is refused each time',
  async (rule, isRefused, status) => {
    const refuses: Refuses = ({ spec, metadata }, { method, path }) =>
      method === 'POST' && isCreate(path) && isRefused(spec, metadata, path);
    expect(await resultsOn(refuses, status, [rule])).toEqual([[rule, 'failed']]);
  },
);
