/** Lets so many calls run at the same time as there are places. A call may take several of them. */

/** Calls a function when that number of places is free, which it takes until it ends. */
export type Places = <Result>(count: number, call: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly count: number;
  readonly begin: () => void;
}

/** In the order of the calls, so that one that needs all places gets them. */
export function createPlaces(total: number): Places {
  let free = total;
  const waiting: Waiting[] = [];
  const beginNext = (): void => {
    for (let [next] = waiting; next !== undefined && next.count <= free; [next] = waiting) {
      waiting.shift();
      free -= next.count;
      next.begin();
    }
  };
  return async (count, call) => {
    await new Promise<void>((resolve) => {
      waiting.push({ count, begin: resolve });
      beginNext();
    });
    try {
      return await call();
    } finally {
      free += count;
      beginNext();
    }
  };
}

/** Lets calls run at the same time as others, or alone. In the order of the calls. */
export interface SharedLock {
  readonly shared: <Result>(call: () => Promise<Result>) => Promise<Result>;
  readonly alone: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

/** More than there are calls at any time. */
const ALL_PLACES = 1_000_000;

export function createSharedLock(): SharedLock {
  const places = createPlaces(ALL_PLACES);
  return { shared: (call) => places(1, call), alone: (call) => places(ALL_PLACES, call) };
}
