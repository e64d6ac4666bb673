/** A target file without credentials: what they are needed for is not tried. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { runOnTarget } from './testing/run-on-target.ts';

test.each(['vpcs.create.answers-resource', 'metrics.answer.shape-and-echo', 'jobs.executions.accepted'] as const)(
  '%s is not tried without a credential in the target file',
  async (rule) => {
    await using mock = await startMock();
    const target = { ...mock.target, credentials: {}, allow: 'write' } as const;
    const [outcome] = await runOnTarget(target, { selected: [rule], patienceSeconds: 0 });
    expect(outcome?.result).toMatchObject({
      verdict: 'not-tried',
      reason: 'a credential in the target file (status 401 without one)',
    });
  },
);
