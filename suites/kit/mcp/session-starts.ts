/** The sessions that a run starts: a server may end one when another starts. */
import { sharedValue } from '../../engine/shared-values.ts';
import type { Run } from '../../engine/run.ts';
import { createPlaces } from '../../target/places.ts';

export interface SessionStarts {
  /** How many began, at any endpoint. */
  count: number;
  /** Starts a session, while no call runs alone. */
  readonly start: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Calls a function, which may start sessions, while no other one starts. */
  readonly alone: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

const startsOfRun = sharedValue<SessionStarts>();

const ALL_PLACES = 1_000_000;

export const sessionStarts = (run: Pick<Run, 'shared'>): Promise<SessionStarts> =>
  startsOfRun.get(run, async () => {
    const places = createPlaces(ALL_PLACES);
    const starts: SessionStarts = {
      count: 0,
      start: (call) =>
        places(1, () => {
          starts.count += 1;
          return call();
        }),
      alone: (call) => places(ALL_PLACES, call),
    };
    return starts;
  });
