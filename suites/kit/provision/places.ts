/** Limits how many resources a run creates and removes at the same time, because a plan may limit how many exist. */
import { sharedValue } from '../../engine/shared-values.ts';
import type { Run } from '../../engine/run.ts';

export const MAX_CREATED = 4;

interface Waiting {
  readonly count: number;
  readonly begin: () => void;
}

interface Places {
  free: number;
  /** In the order in which they came, so that a call that needs all places gets them. */
  readonly waiting: Waiting[];
}

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
  const places = await placesOfRun.get(run, async () => ({ free: MAX_CREATED, waiting: [] }));
  await new Promise<void>((resolve) => {
    places.waiting.push({ count, begin: resolve });
    beginNext(places);
  });
  try {
    return await create();
  } finally {
    places.free += count;
    beginNext(places);
  }
}

function beginNext(places: Places): void {
  for (let [next] = places.waiting; next !== undefined && next.count <= places.free; [next] = places.waiting) {
    places.waiting.shift();
    places.free -= next.count;
    next.begin();
  }
}
