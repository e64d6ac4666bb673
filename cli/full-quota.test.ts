/** A create that is refused since the account may have no more says nothing of the target (decision 055). */
import { expect, test } from 'vitest';
import { steer } from '../mock/control/steer.ts';
import { startMock } from '../mock/start-mock.ts';
import { tryOnTarget } from './try-on-target.ts';

test.each([
  ['vpcs.create.answers-resource', 'createVpc'],
  ['integrations.connections.create-succeeds', 'createIntegrationConnection'],
  ['functions.create.with-connection', 'createFunction'],
] as const)(
  '%s is not tried where a quota is full, and fails where a valid create is refused',
  async (rule, create) => {
    await using mock = await startMock();
    const verdictFor = async (status: number) => {
      await steer(mock.addresses.host, 'PUT', '/faults', { rules: [{ operation: create, status }] });
      const [outcome] = await tryOnTarget({ ...mock.target, allow: 'write' }, { selected: [rule], patienceSeconds: 0 });
      return outcome?.result.verdict;
    };
    expect([await verdictFor(402), await verdictFor(400)]).toEqual(['not-tried', 'failed']);
  },
);
