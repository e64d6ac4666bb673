/** Instances of workloads: requests that exceed `maxScale` wait or are refused, and the first request after a pause has a cold start. */
import type { AgentSpec } from '../../../spec/generated/types.ts';
import { parseDuration } from '../../../spec/formats/durations.ts';
import { notFound, Problem, worldIsGone } from '../../http/problems.ts';
import { newestEndsAt, statusAt } from '../../state/deployments.ts';
import { drawDuration, remainingStartMs } from '../../state/lifecycles.ts';
import { isObject } from '../../../spec/json-object.ts';
import { kinds } from '../resources/kinds.ts';
import type { Workload } from '../resources/workloads.ts';
import type { Instant } from '../../time/clock.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

const DEFAULT_IDLE_MS = 300_000;

/** Registers a function to call when the client disconnects or the response is sent. */
type OnLeave = (release: () => void) => void;

/** Work that nobody waits for, such as a request to an async trigger. */
export interface Work {
  /** Called at the instant when an instance is free, immediately if one is. Returns when the work ends, which frees the instance. */
  readonly begin: (at: Instant) => Instant;
  readonly end: (at: Instant) => void;
  /** Called if the workload is deleted first. */
  readonly reject: (problem: Problem) => void;
}

/** Instances of agents, functions and models. */
export interface Instances {
  /** Resolves to a function that ends the request. Rejects with a problem if it exceeds `maxScale` and excess is refused. */
  enter(world: WorldState, workload: Workload, onLeave: OnLeave): Promise<() => void>;
  /** Throws a problem if another request would exceed `maxScale` and excess is refused. */
  requireAdmission(world: WorldState, workload: Workload): void;
  /** Does the work as soon as an instance is free. */
  run(world: WorldState, workload: Workload, work: Work): void;
  /** Occupies an instance until the end of work that had begun before a snapshot. */
  resume(world: WorldState, workload: Workload, until: Instant, work: Work): void;
  /** Whether the workload handles a request. */
  isBusy(workload: Workload): boolean;
  /** Applies `maxScale` of the workload, and admits waiting requests if it was raised. */
  update(world: WorldState, workload: Workload): void;
  /** Rejects waiting requests of a deleted workload with a problem. */
  end(workload: Workload): void;
  /** Rejects all waiting requests with a problem; work that waits is forgotten. */
  close(): void;
}

interface Waiting {
  /** `at`: when an instance became free. */
  readonly admit: (at: Instant) => void;
  readonly reject: (problem: Problem) => void;
  /** Whether a client waits for the response. */
  readonly hasClient: boolean;
}

/** Each instance handles one request at a time. */
interface Pool {
  maxScale: number;
  running: number;
  readonly queue: Set<Waiting>;
}

export function createInstances(): Instances {
  /** Only those of workloads with requests. */
  const pools = new Map<string, Pool>();

  const poolOf = (workload: Workload): Pool => {
    const key = keyOf(workload);
    const pool = pools.get(key) ?? { maxScale: maxScaleOf(workload), running: 0, queue: new Set() };
    pools.set(key, pool);
    return pool;
  };
  const admit = (pool: Pool, at: Instant): void => {
    for (const waiting of pool.queue) {
      if (pool.running >= pool.maxScale) return;
      pool.queue.delete(waiting);
      pool.running++;
      waiting.admit(at);
    }
  };
  const leave = (workload: Workload, pool: Pool, at: Instant): void => {
    pool.running--;
    admit(pool, at);
    if (pool.running === 0 && pools.get(keyOf(workload)) === pool) pools.delete(keyOf(workload));
  };
  /** Admits it at once if an instance is free; otherwise it waits in the queue. */
  const take = (world: WorldState, workload: Workload, waiting: Waiting): void => {
    const pool = poolOf(workload);
    pool.queue.add(waiting);
    admit(pool, world.clock.now());
  };
  const requireAdmission = (world: WorldState, workload: Workload): void => {
    const pool = pools.get(keyOf(workload));
    const isFree = pool === undefined || pool.running < pool.maxScale;
    if (!isFree && world.lifecycles.plan.instances?.excess === 'refuse') throw tooManyRequests(workload, pool.maxScale);
  };
  const endAt = (world: WorldState, workload: Workload, at: Instant, work: Work): void => {
    const pool = poolOf(workload);
    world.timers.at(at, () => {
      work.end(at);
      leave(workload, pool, at);
    });
  };

  return {
    enter: async (world, workload, onLeave) => {
      requireAdmission(world, workload);
      const pool = poolOf(workload);
      await untilAdmitted(pool, (waiting) => take(world, workload, waiting), onLeave);
      let hasLeft = false;
      return () => {
        if (!hasLeft) leave(workload, pool, world.clock.now());
        hasLeft = true;
      };
    },
    requireAdmission,
    run: (world, workload, work) => {
      const begin = (at: Instant) => endAt(world, workload, work.begin(at), work);
      take(world, workload, { admit: begin, reject: work.reject, hasClient: false });
    },
    resume: (world, workload, until, work) => {
      poolOf(workload).running++;
      endAt(world, workload, until, work);
    },
    isBusy: (workload) => pools.has(keyOf(workload)),
    update: (world, workload) => {
      const pool = pools.get(keyOf(workload));
      if (pool === undefined) return;
      pool.maxScale = maxScaleOf(workload);
      admit(pool, world.clock.now());
    },
    end: (workload) =>
      rejectAll(pools.get(keyOf(workload)), notFound(kinds[workload.collection].noun, workload.resource.name)),
    close: () => {
      for (const pool of pools.values()) rejectClients(pool);
      pools.clear();
    },
  };
}

function rejectAll(pool: Pool | undefined, problem: Problem): void {
  const waiting = [...(pool?.queue ?? [])];
  pool?.queue.clear();
  for (const { reject } of waiting) reject(problem);
}

function rejectClients({ queue }: Pool): void {
  for (const { reject, hasClient } of queue) if (hasClient) reject(worldIsGone());
}

/** Resolves when an instance is free; rejects if the client leaves before. */
function untilAdmitted(pool: Pool, take: (waiting: Waiting) => void, onLeave: OnLeave): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const waiting = { admit: () => resolve(), reject, hasClient: true };
    take(waiting);
    if (!pool.queue.has(waiting)) return;
    onLeave(() => {
      if (pool.queue.delete(waiting)) reject(clientLeft());
    });
  });
}

/** A workload that is created again has instances of its own. */
function keyOf({ workspace, collection, resource: { name, createdAt } }: Workload): string {
  return `${workspace.name}/${collection}/${name}/${createdAt}`;
}

/** Infinity if the workload has no maximum. */
function maxScaleOf({ resource: { spec } }: Workload): number {
  const { runtime } = spec;
  const maxScale = isObject(runtime) ? runtime['maxScale'] : undefined;
  return typeof maxScale === 'number' && maxScale > 0 ? maxScale : Infinity;
}

function tooManyRequests({ collection, resource: { name } }: Workload, maxScale: number): Problem {
  const { noun } = kinds[collection];
  return new Problem(429, 'too_many_requests', `${noun} "${name}" has no free instance (maxScale is ${maxScale}).`, {
    'retry-after': '1',
  });
}

/** Never sent. */
function clientLeft(): Problem {
  return new Problem(499, 'client_left', 'The client disconnected.');
}

/**
 * How long a request waits for an instance to start, in milliseconds; 0 if one is running. `idleAfter` milliseconds after the
 * last request, and after each deployment, only the `minScale` instances run. An instance that is starting serves only the
 * request it was started for.
 */
export function drawColdStart(
  world: WorldState,
  { uuid = '', spec, deployments }: Resource,
  now = world.clock.now(),
): number {
  const { coldStart, idleAfter } = world.lifecycles.plan.instances ?? {};
  const { minScale = 0 } = (spec as AgentSpec).runtime ?? {};
  if (coldStart === undefined || minScale > 0) return 0;
  const last = world.lifecycles.lastUsed[uuid] ?? -Infinity;
  const idleMs = idleAfter === undefined ? DEFAULT_IDLE_MS : (parseDuration(idleAfter) ?? DEFAULT_IDLE_MS);
  // While a revision is being deployed, the instances of the one before it still run.
  const startedAt = statusAt(deployments, now) === 'DEPLOYED' ? newestEndsAt(deployments) : -Infinity;
  const isWarm = last >= startedAt && last <= now && now - last <= idleMs;
  return isWarm ? 0 : drawDuration(coldStart, 0, world.random);
}

/** How long a request that needs no instance for itself waits, in milliseconds: for one that starts, if none is running. */
export function drawSharedColdStart(world: WorldState, resource: Resource): number {
  const { lastUsed, plan } = world.lifecycles;
  const remainingMs = remainingStartMs(lastUsed[resource.uuid ?? ''], plan.instances?.coldStart, world.clock.now());
  return remainingMs > 0 ? remainingMs : drawColdStart(world, resource);
}

/** Call it when a request ends, and when it arrives, with the time when its instance has started. */
export function noteUse({ lifecycles, clock }: WorldState, { uuid }: Resource, at = clock.now()): void {
  const { instances, sandboxes } = lifecycles.plan;
  if (uuid !== undefined && (instances ?? sandboxes) !== undefined) lifecycles.lastUsed[uuid] = at;
}
