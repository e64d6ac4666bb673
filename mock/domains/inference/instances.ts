/** Instances of agents: requests that exceed `maxScale` wait or are refused, and the first request after a pause has a cold start. */
import type { AgentSpec } from '../../../spec/generated/types.ts';
import { parseDuration } from '../../../spec/formats/durations.ts';
import { notFound, Problem, worldIsGone } from '../../http/problems.ts';
import { endsAt, statusAt } from '../../state/deployments.ts';
import { drawDuration } from '../../state/lifecycles.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

const DEFAULT_IDLE_MS = 300_000;

/** Registers a function to call when the client disconnects or the response is sent. */
type OnLeave = (release: () => void) => void;

export interface Instances {
  /** Resolves to a function that ends the request. Rejects with a problem if it exceeds `maxScale` and excess is refused. */
  enter(world: WorldState, agent: Resource, onLeave: OnLeave): Promise<() => void>;
  /** Whether the agent handles a request. */
  isBusy(agent: Resource): boolean;
  /** Applies `maxScale` of the agent, and admits waiting requests if it was raised. */
  update(agent: Resource): void;
  /** Rejects waiting requests of a deleted agent with a problem. */
  end(agent: Resource): void;
  /** Rejects all waiting requests with a problem. */
  close(): void;
}

interface Waiting {
  readonly admit: () => void;
  readonly reject: (problem: Problem) => void;
}

/** Each instance handles one request at a time. */
interface Pool {
  maxScale: number;
  running: number;
  readonly queue: Set<Waiting>;
}

export function createInstances(): Instances {
  /** By uuid of the agent; only agents with requests. */
  const pools = new Map<string, Pool>();

  const admit = (pool: Pool): void => {
    for (const waiting of pool.queue) {
      if (pool.running >= pool.maxScale) return;
      pool.queue.delete(waiting);
      pool.running++;
      waiting.admit();
    }
  };
  const wait = (pool: Pool, onLeave: OnLeave): Promise<void> =>
    new Promise((resolve, reject) => {
      const waiting = { admit: resolve, reject };
      pool.queue.add(waiting);
      onLeave(() => {
        if (pool.queue.delete(waiting)) reject(clientLeft());
      });
    });

  return {
    enter: async (world, agent, onLeave) => {
      const uuid = uuidOf(agent);
      const pool: Pool = pools.get(uuid) ?? { maxScale: maxScaleOf(agent), running: 0, queue: new Set() };
      pools.set(uuid, pool);
      if (pool.running < pool.maxScale) pool.running++;
      else if (world.lifecycles.plan.instances?.excess === 'refuse') throw tooManyRequests(agent);
      else await wait(pool, onLeave);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        pool.running--;
        admit(pool);
        if (pool.running === 0) pools.delete(uuid);
      };
    },
    isBusy: (agent) => pools.has(uuidOf(agent)),
    update: (agent) => {
      const pool = pools.get(uuidOf(agent));
      if (pool === undefined) return;
      pool.maxScale = maxScaleOf(agent);
      admit(pool);
    },
    end: (agent) => {
      const { queue = new Set<Waiting>() } = pools.get(uuidOf(agent)) ?? {};
      for (const { reject } of queue) reject(notFound('Agent', agent.name));
      queue.clear();
    },
    close: () => {
      for (const { queue } of pools.values()) for (const { reject } of queue) reject(worldIsGone());
      pools.clear();
    },
  };
}

function uuidOf({ uuid, name }: Resource): string {
  return uuid ?? name;
}

/** Infinity if the agent has no maximum. */
function maxScaleOf({ spec }: Resource): number {
  const { maxScale = 0 } = (spec as AgentSpec).runtime ?? {};
  return maxScale > 0 ? maxScale : Infinity;
}

function tooManyRequests({ name, spec }: Resource): Problem {
  const limit = (spec as AgentSpec).runtime?.maxScale;
  return new Problem(429, 'too_many_requests', `All ${limit} instances of agent "${name}" are busy (maxScale).`, {
    'retry-after': '1',
  });
}

/** Never sent. */
function clientLeft(): Problem {
  return new Problem(499, 'client_left', 'The client disconnected.');
}

/**
 * How long a request waits for an instance to start, in milliseconds; 0 if one is running. `idleAfter` milliseconds after the
 * last request, and after each deployment, only the `minScale` instances run.
 */
export function drawColdStart(world: WorldState, { uuid = '', spec, deployments }: Resource): number {
  const { coldStart, idleAfter } = world.lifecycles.plan.instances ?? {};
  const { minScale = 0 } = (spec as AgentSpec).runtime ?? {};
  if (coldStart === undefined || minScale > 0) return 0;
  const last = world.lifecycles.lastUsed[uuid] ?? -Infinity;
  const idleMs = idleAfter === undefined ? DEFAULT_IDLE_MS : (parseDuration(idleAfter) ?? DEFAULT_IDLE_MS);
  const now = world.clock.now();
  // While a revision is being deployed, the instances of the one before it still run.
  const startedAt = statusAt(deployments, now) === 'DEPLOYED' ? endsAt(deployments) : -Infinity;
  const isWarm = last >= startedAt && now - last <= idleMs;
  return isWarm ? 0 : drawDuration(coldStart, 0, world.random);
}

/** Call it when a request begins and ends. */
export function noteUse({ lifecycles, clock }: WorldState, { uuid }: Resource): void {
  const { instances, sandboxes } = lifecycles.plan;
  if (uuid !== undefined && (instances ?? sandboxes) !== undefined) lifecycles.lastUsed[uuid] = clock.now();
}
