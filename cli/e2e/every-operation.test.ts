/** Rules about every documented operation request all of them, so a new operation cannot be forgotten. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { operations } from '../../spec/operations.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import { runOnTarget } from './testing/run-on-target.ts';

async function requestedBy(rule: RequirementId, counts: (exchange: Exchange) => boolean): Promise<Set<OperationId>> {
  await using mock = await startMock();
  const requestedIds = new Set<OperationId>();
  await runOnTarget(
    { ...mock.target, allow: 'destroy' },
    {
      selected: [rule],
      record: (exchange) => {
        if (exchange.operation !== undefined && 'response' in exchange && counts(exchange))
          requestedIds.add(exchange.operation);
      },
    },
  );
  return requestedIds;
}

const expectedIds = (concerns: (operation: Operation) => boolean): OperationId[] =>
  operations.filter((each) => each.documented && each.security && concerns(each)).map(({ id }) => id);

/** And why. */
const notRequested: Partial<Record<OperationId, string>> = {
  deleteUnusedImages: 'nothing that could be wrong with it keeps it from removing',
  getSandboxRoot: 'its response and its authorization are not documented',
};

test.each([
  'auth.headers.authorization-accepted-on-every-api',
  'auth.headers.brand-authorization-accepted-on-every-api',
] as const)('%s requests every documented operation that requires a credential', async (rule) => {
  const requestedIds = await requestedBy(rule, () => true);
  expect(expectedIds(() => true).filter((id) => !requestedIds.has(id))).toEqual(Object.keys(notRequested));
});

/** A stranger's credential is none of the target's, or a token of the run's own choice. */
const isOfStranger = ({ credential }: Exchange): boolean => credential === undefined;
const isMetrics = ({ path }: Operation): boolean => path.includes('/metrics');
const isManagement = ({ surface }: Operation): boolean => surface === 'management';

test.each(['auth.management.credential-required', 'auth.scopes.admin-is-the-default'] as const)(
  '%s requests every management operation except updateAgent and metrics without a valid credential',
  async (rule) => {
    const requestedIds = await requestedBy(rule, isOfStranger);
    const others = expectedIds((each) => isManagement(each) && each.id !== 'updateAgent' && !isMetrics(each));
    expect(others.filter((id) => !requestedIds.has(id))).toEqual([]);
  },
);

test('auth.data-plane.credential-required requests every operation outside management', async () => {
  const requestedIds = await requestedBy('auth.data-plane.credential-required', isOfStranger);
  expect(expectedIds((each) => !isManagement(each)).filter((id) => !requestedIds.has(id))).toEqual(['getSandboxRoot']);
});

test('auth.metrics.bearer-required requests every metrics operation without a valid credential', async () => {
  const requestedIds = await requestedBy('auth.metrics.bearer-required', isOfStranger);
  expect(expectedIds(isMetrics).filter((id) => !requestedIds.has(id))).toEqual([]);
});
