/** Repeats alone what is refused because of other requests of the run (409, 423): a target may take one write at a time. */
import { createSharedLock, type SharedLock } from './places.ts';
import { createQueues } from './queues.ts';
import { isConflict, MAX_WAITS, retryAfterSeconds, type Head } from './retry-delay.ts';

interface Request {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
}

export interface Conflicts {
  /**
   * Sends a request. If it is refused while the run sends other writes to the same area, or with Retry-After, it is repeated
   * without them, after that time. If that helps, similar requests are sent one after the other from then on.
   */
  send<A extends Head>(request: Request, sendOnce: () => Promise<A>): Promise<A>;
}

interface Options {
  /** Rejects if the run is interrupted. */
  readonly wait: (seconds: number) => Promise<void>;
  /** A longer Retry-After is not respected. */
  readonly maxSeconds: number;
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Requests with one method in one area, such as tree writes of a sandbox. */
interface Lane {
  /** Whether its requests are sent one after the other. `useless`: this did not prevent refusals. */
  serial: 'no' | 'yes' | 'useless';
  /** Whether the last request was still refused after it had been repeated. */
  isStuck: boolean;
}

interface Area {
  readonly lock: SharedLock;
  /** Writes that were sent. */
  begun: number;
  ended: number;
}

/** The first segment of the path tells the APIs of an origin apart. */
const areaOf = ({ origin, path }: Request): string => `${origin}/${path.split(/[/?]/, 2)[1]}`;

export function createConflicts({ wait, maxSeconds }: Options): Conflicts {
  const areas = new Map<string, Area>();
  const lanes = new Map<string, Lane>();
  const inTurn = createQueues();

  async function sendInArea<A extends Head>(area: Area, isWrite: boolean, sendOnce: () => Promise<A>) {
    const { begun, ended } = area;
    if (isWrite) area.begun += 1;
    const begunWithThis = area.begun;
    try {
      const response = await sendOnce();
      return { response, isAlone: begun === ended && area.begun === begunWithThis };
    } finally {
      if (isWrite) area.ended += 1;
    }
  }

  /** Undefined if the request is not repeated. */
  function secondsBefore({ headers }: Head, repetitions: number, isAlone: boolean, lane: Lane): number | undefined {
    const retryAfter = headers['retry-after'];
    if (retryAfter === undefined) return repetitions === 0 && !isAlone ? 0 : undefined;
    const seconds = retryAfterSeconds(retryAfter);
    return repetitions < (lane.isStuck ? 1 : MAX_WAITS) && seconds <= maxSeconds ? seconds : undefined;
  }

  async function sendUntilAccepted<A extends Head>(
    area: Area,
    lane: Lane,
    isWrite: boolean,
    sendOnce: () => Promise<A>,
  ) {
    const first = await area.lock.shared(() => sendInArea(area, isWrite, sendOnce));
    let { response } = first;
    if (!isConflict(response)) {
      lane.isStuck = false;
      return response;
    }
    if (lane.serial === 'yes' && first.isAlone) lane.serial = 'useless';
    for (let repetitions = 0; isConflict(response); repetitions += 1) {
      const seconds = secondsBefore(response, repetitions, first.isAlone, lane);
      if (seconds === undefined) break;
      if (seconds > 0) await wait(seconds);
      response = await area.lock.alone(async () => (await sendInArea(area, isWrite, sendOnce)).response);
    }
    lane.isStuck = isConflict(response) && response.headers['retry-after'] !== undefined;
    if (!isConflict(response) && !first.isAlone && lane.serial === 'no') lane.serial = 'yes';
    return response;
  }

  return {
    send(request, sendOnce) {
      const name = areaOf(request);
      const area = areas.get(name) ?? { lock: createSharedLock(), begun: 0, ended: 0 };
      areas.set(name, area);
      const key = `${request.method} ${name}`;
      const lane = lanes.get(key) ?? { serial: 'no', isStuck: false };
      lanes.set(key, lane);
      const isWrite = !safeMethods.has(request.method);
      return inTurn(lane.serial === 'yes' ? key : undefined, () => sendUntilAccepted(area, lane, isWrite, sendOnce));
    },
  };
}
