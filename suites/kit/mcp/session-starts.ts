/** The sessions that a run starts: a server may end one when another starts. */
import { sharedValue } from '../../engine/shared-values.ts';
import type { Run } from '../../engine/run.ts';
import { createSharedLock } from '../../target/places.ts';

export interface SessionStarts {
  /** Starts a session, while no call runs alone. */
  readonly start: <Result>(call: () => Promise<Result>) => Promise<Result>;
  /** Calls a function, which may start sessions, while no other one starts. */
  readonly alone: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

const startsOfRun = sharedValue<SessionStarts>();

export const sessionStarts = (run: Pick<Run, 'shared'>): Promise<SessionStarts> =>
  startsOfRun.get(run, async () => {
    const lock = createSharedLock();
    return { start: lock.shared, alone: lock.alone };
  });

/** For what `alone` calls, because it would wait for itself otherwise. */
export const UNLIMITED_STARTS: SessionStarts = { start: (call) => call(), alone: (call) => call() };
