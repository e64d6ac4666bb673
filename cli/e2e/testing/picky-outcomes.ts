/** Tries rules on a mock that is picky, and returns their verdicts and reasons. */
import { startMock } from '../../../mock/start-mock.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { pickyTarget } from './picky-target.ts';
import type { Fields, PickyOptions, Refuses } from './picky-target.ts';
import { runOnTarget } from './run-on-target.ts';

export interface PickyRun extends PickyOptions {
  /** Of the target file. Defaults to none. */
  readonly samples?: Fields | undefined;
  /** Deviations of the server that is picky. */
  readonly deviate?: readonly string[];
  /** Whether the server has only documented operations, so that nothing can be removed. */
  readonly onlyDocumented?: boolean;
  /** How many generated inputs a case tests. Defaults to 12. */
  readonly runs?: number;
  /** Whether only the first round of inputs is tested. */
  readonly isQuick?: boolean;
  /** Defaults to 3. */
  readonly patienceSeconds?: number;
}

export interface PickyOutcome {
  readonly id: RequirementId;
  readonly verdict: string;
  readonly reason: string | undefined;
}

export async function pickyOutcomes(
  refuses: Refuses,
  rules: readonly RequirementId[],
  {
    samples,
    deviate = [],
    onlyDocumented = false,
    runs = 12,
    isQuick = false,
    patienceSeconds = 3,
    ...options
  }: PickyRun = {},
): Promise<PickyOutcome[]> {
  await using mock = await startMock({ sandboxUrls: 'path', onlyDocumented, deviate });
  await using target = await pickyTarget(mock.target, refuses, options);
  const { samples: _, ...file } = target.target;
  const outcomes = await runOnTarget(
    { ...file, ...(samples && { samples }), allow: 'destroy' },
    { selected: rules, runs, isQuick, patienceSeconds },
  );
  return outcomes.map(({ result: { id, verdict, reason } }) => ({ id, verdict, reason }));
}

/** By rule, such as `passed`; of one that is not tried, with its reason. */
export const verdictsOf = (outcomes: readonly PickyOutcome[]): Record<string, string> =>
  Object.fromEntries(
    outcomes.map(({ id, verdict, reason }) => [id, verdict === 'not-tried' ? `not tried: ${reason}` : verdict]),
  );
