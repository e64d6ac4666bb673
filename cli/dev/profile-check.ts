/** Checks a mock with a profile: a run against it must observe the values that the mock follows. */
import { isDeepStrictEqual } from 'node:util';
import { profileFrom } from '../../mock/profile/read-profile.ts';
import { startMock } from '../../mock/start-mock.ts';
import { familyAt, kindAt, renderObservation } from '../../spec/observations/observation.ts';
import type { Json } from '../../spec/observations/value-kind.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';
import { familyVariants } from './candidate-values.ts';

export interface Difference extends Observation {
  /** What is observed of the mock, rendered. */
  readonly mock: string;
}

/** For each point of `observed`, the values that the mock would follow there if nothing else were known of a deployment. */
export function followable(observed: readonly Observation[], values: readonly Json[]): Observation[][] {
  const points = new Map(observed.map((each) => [`${each.id} ${each.what}`, each]));
  const isFollowed = (each: Observation) => profileFrom([each]).notFollowed.length === 0;
  return [...points.values()]
    .map((point) =>
      fitting(point, values)
        .map((value) => renderObservation(point.id, point.what, value))
        .filter(isFollowed),
    )
    .filter((choices) => choices.length > 0);
}

function fitting({ id, what, value }: Observation, values: readonly Json[]): unknown[] {
  const kind = kindAt(id, what);
  if (kind !== undefined) return values.filter((each) => kind.schema.safeParse(each).success);
  const variants = familyVariants.map((variant) => ({ ...(value as object), ...variant }));
  return variants.filter((each) => familyAt(id)?.kind.schema.safeParse(each).success === true);
}

/** The n-th profile that consists of these: each point has another value in each, as long as it has any. */
export const profileVariant = (points: readonly Observation[][], n: number): Observation[] =>
  points.flatMap((choices, index) => (n < choices.length ? (choices[(n + index * 7) % choices.length] ?? []) : []));

/**
 * Where the mock differs from the observations that it says it follows. A point that is not reached because of others is
 * checked with a mock that follows it alone.
 */
export async function differences(profile: readonly Observation[]): Promise<Difference[]> {
  const { followed, observed } = await observeWith(profile);
  const at = (each: Observation) => observed.find(({ id, what }) => id === each.id && what === each.what);
  const wrong = followed.flatMap((each) => differing(each, at(each)));
  for (const each of followed.filter((one) => at(one) === undefined))
    if (profile.length > 1) wrong.push(...(await differences([each])));
    else wrong.push({ ...each, mock: 'not observed' });
  return wrong;
}

const differing = (each: Observation, mock: Observation | undefined): Difference[] =>
  mock === undefined || isDeepStrictEqual(mock.value, each.value) ? [] : [{ ...each, mock: mock.saw }];

async function observeWith(
  profile: readonly Observation[],
): Promise<{ followed: Observation[]; observed: Observation[] }> {
  await using mock = await startMock({ profile });
  const keyOf = ({ id, what, value }: Observation) => JSON.stringify([id, what, value]);
  const isNot = new Set(mock.notFollowed.map(keyOf));
  const followed = profile.filter((each) => !isNot.has(keyOf(each)));
  const selected = [...new Set<ObserveId>(profile.map(({ id }) => id))];
  const outcomes = await runOnTarget({ ...mock.target, allow: 'destroy' }, { selected });
  return { followed, observed: outcomes.flatMap(({ observations }) => observations) };
}
