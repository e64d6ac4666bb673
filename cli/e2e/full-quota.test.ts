/** A create that is refused for a reason outside the request is not a verdict on the target (decision 055). */
import { expect, test } from 'vitest';
import { callControl } from '../../mock/testing/control-client.ts';
import { startMock } from '../../mock/start-mock.ts';
import { runOnTarget } from './testing/run-on-target.ts';

test.each([
  ['vpcs.create.answers-resource', 'createVpc'],
  ['integrations.connections.create-succeeds', 'createIntegrationConnection'],
  ['functions.create.with-connection', 'createFunction'],
] as const)(
  '%s is not tried where a quota is full, and fails where a valid create is refused',
  async (rule, create) => {
    await using mock = await startMock();
    const verdictFor = async (status: number) => {
      await callControl(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation: create, status }] });
      const [outcome] = await runOnTarget({ ...mock.target, allow: 'write' }, { selected: [rule], patienceSeconds: 0 });
      return outcome?.result.verdict;
    };
    expect([await verdictFor(402), await verdictFor(400)]).toEqual(['not-tried', 'failed']);
  },
);

test('a refused create with an API key names the workspace as missing if the target file has no workspace', async () => {
  await using mock = await startMock();
  await callControl(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation: 'createVpc', status: 400 }] });
  const { workspace: _, credentials, ...target } = mock.target;
  const [outcome] = await runOnTarget(
    { ...target, credentials: { apiKey: credentials.apiKey }, allow: 'write' },
    { selected: ['vpcs.create.answers-resource'], patienceSeconds: 0 },
  );
  expect(outcome?.result.reason).toContain('the workspace of the target');
});
