/** Rules that hold for every documented operation ask every one of them: a new operation is not left out unseen. */
import { expect, test } from 'vitest';
import { startMock } from '../mock/start-mock.ts';
import { operations } from '../spec/operations.ts';
import type { OperationId } from '../spec/operations.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import { tryOnTarget } from './try-on-target.ts';

async function askedBy(rule: RequirementId): Promise<Set<OperationId>> {
  await using mock = await startMock();
  const asked = new Set<OperationId>();
  await tryOnTarget(
    { ...mock.target, allow: 'destroy' },
    { selected: [rule], runs: 1, record: ({ operation }) => void (operation && asked.add(operation)) },
  );
  return asked;
}

/** And why. */
const leftOut: Partial<Record<OperationId, string>> = {
  deleteUnusedImages: 'nothing that could be wrong with it keeps it from removing',
  getSandboxRoot: 'what it answers, and to whom, is not shown',
};

test.each([
  'auth.headers.authorization-accepted-on-every-api',
  'auth.headers.brand-authorization-accepted-on-every-api',
] as const)('%s asks whatever is documented and wants a credential', async (rule) => {
  const asked = await askedBy(rule);
  const wanted = operations.filter(({ documented, security }) => documented && security).map(({ id }) => id);
  expect(wanted.filter((id) => !asked.has(id))).toEqual(Object.keys(leftOut));
});
