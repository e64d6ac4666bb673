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
