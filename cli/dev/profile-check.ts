/** Holds a mock to what its profile follows: observed again, it is seen to do so in the very same words. */
import { profileFrom } from '../../mock/profile/read-profile.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { runOnTarget } from '../e2e/testing/run-on-target.ts';

export interface Difference extends Observation {
  readonly mock: string;
}

/** For each point of `seen` the words that the mock would follow there, if that were all that is known of a target. */
export function followable(seen: readonly Observation[], words: readonly string[]): Observation[][] {
  const points = new Map(seen.map(({ id, what }) => [`${id} ${what}`, { id, what }]));
  const isFollowed = (each: Observation) => profileFrom([each]).notFollowed.length === 0;
  return [...points.values()]
    .map((point) => words.map((saw) => ({ ...point, saw })).filter(isFollowed))
    .filter((choices) => choices.length > 0);
}

/** The n-th profile that is made of these: each point says something else in each, as long as it has words. */
export const profileOfWords = (points: readonly Observation[][], n: number): Observation[] =>
  points.flatMap((choices, index) => (n < choices.length ? (choices[(n + index * 7) % choices.length] ?? []) : []));

/**
 * Where the mock does otherwise than the observations say that it follows. What is not observed because of others is
 * held against a mock that follows it alone.
 */
export async function differences(profile: readonly Observation[]): Promise<Difference[]> {
  const { followed, seen } = await observedWith(profile);
  const saw = (each: Observation) => seen.find(({ id, what }) => id === each.id && what === each.what)?.saw;
  const wrong = followed.flatMap((each) => differing(each, saw(each)));
  for (const each of followed.filter((one) => saw(one) === undefined))
    if (profile.length > 1) wrong.push(...(await differences([each])));
    else wrong.push({ ...each, mock: 'not observed' });
  return wrong;
}

const differing = (each: Observation, mock: string | undefined): Difference[] =>
  mock === undefined || mock === each.saw ? [] : [{ ...each, mock }];

async function observedWith(
  profile: readonly Observation[],
): Promise<{ followed: Observation[]; seen: Observation[] }> {
  await using mock = await startMock({ profile });
  const isNot = new Set(mock.notFollowed.map(({ id, what, saw }) => JSON.stringify([id, what, saw])));
  const followed = profile.filter(({ id, what, saw }) => !isNot.has(JSON.stringify([id, what, saw])));
  const selected = [...new Set<ObserveId>(profile.map(({ id }) => id))];
  const outcomes = await runOnTarget({ ...mock.target, allow: 'destroy' }, { selected });
  return { followed, seen: outcomes.flatMap(({ observations }) => observations) };
}
