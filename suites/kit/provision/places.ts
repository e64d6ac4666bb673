/** Limits how many resources a run creates and removes at the same time, because a plan may limit how many exist. */
import { sharedValue } from '../../engine/shared-values.ts';
import type { Run } from '../../engine/run.ts';
import { createPlaces } from '../../target/places.ts';
import type { Places } from '../../target/places.ts';

export const MAX_CREATED = 4;

const placesOfRun = sharedValue<Places>();

/** Calls `create` while fewer than MAX_CREATED others are running. It must not wait for another place. */
export const withPlace = <Result>(run: Pick<Run, 'shared'>, create: () => Promise<Result>): Promise<Result> =>
  withPlaces(run, 1, create);

/** Calls `create` while no other is running. */
export const withAllPlaces = <Result>(run: Pick<Run, 'shared'>, create: () => Promise<Result>): Promise<Result> =>
  withPlaces(run, MAX_CREATED, create);

async function withPlaces<Result>(
  run: Pick<Run, 'shared'>,
  count: number,
  create: () => Promise<Result>,
): Promise<Result> {
  const places = await placesOfRun.get(run, async () => createPlaces(MAX_CREATED));
  return places(count, create);
}
