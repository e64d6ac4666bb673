/** Rules that hold for every documented operation ask every one of them: a new operation is not left out unseen. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { operations } from '../../spec/operations.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { runOnTarget } from './testing/run-on-target.ts';

async function askedBy(rule: RequirementId, counts: (exchange: Exchange) => boolean): Promise<Set<OperationId>> {
  await using mock = await startMock();
  const asked = new Set<OperationId>();
  await runOnTarget(
    { ...mock.target, allow: 'destroy' },
    {
      selected: [rule],
      runs: 1,
      record: (exchange) => {
        if (exchange.operation !== undefined && 'response' in exchange && counts(exchange))
          asked.add(exchange.operation);
      },
    },
  );
  return asked;
}

const wanted = (concerns: (operation: Operation) => boolean): OperationId[] =>
  operations.filter((each) => each.documented && each.security && concerns(each)).map(({ id }) => id);

/** And why. */
const leftOut: Partial<Record<OperationId, string>> = {
  deleteUnusedImages: 'nothing that could be wrong with it keeps it from removing',
  getSandboxRoot: 'what it answers, and to whom, is not shown',
};

test.each([
  'auth.headers.authorization-accepted-on-every-api',
  'auth.headers.brand-authorization-accepted-on-every-api',
] as const)('%s asks whatever is documented and wants a credential', async (rule) => {
  const asked = await askedBy(rule, () => true);
  expect(wanted(() => true).filter((id) => !asked.has(id))).toEqual(Object.keys(leftOut));
});

/** A stranger's credential is none of the target's, or a token of the run's own choice. */
const isOfStranger = ({ credential }: Exchange): boolean => credential === undefined;
const isMetrics = ({ path }: Operation): boolean => path.includes('/metrics');
const isManagement = ({ surface }: Operation): boolean => surface === 'management';

test.each(['auth.management.credential-required', 'auth.scopes.admin-is-the-default'] as const)(
  '%s lets strangers ask whatever management shows but agent update and metrics',
  async (rule) => {
    const asked = await askedBy(rule, isOfStranger);
    const others = wanted((each) => isManagement(each) && each.id !== 'updateAgent' && !isMetrics(each));
    expect(others.filter((id) => !asked.has(id))).toEqual([]);
  },
);

test('auth.data-plane.credential-required lets strangers ask whatever is beside management', async () => {
  const asked = await askedBy('auth.data-plane.credential-required', isOfStranger);
  expect(wanted((each) => !isManagement(each)).filter((id) => !asked.has(id))).toEqual(['getSandboxRoot']);
});

test('auth.metrics.bearer-required lets strangers ask whatever metrics shows', async () => {
  const asked = await askedBy('auth.metrics.bearer-required', isOfStranger);
  expect(wanted(isMetrics).filter((id) => !asked.has(id))).toEqual([]);
});
