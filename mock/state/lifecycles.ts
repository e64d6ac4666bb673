/** How a world's deployments, tasks, instances and sandboxes behave over time, as plain data for snapshots. */
import { parseDurationRange } from '../../spec/formats/durations.ts';
import type { LifecyclesFile } from '../../spec/formats/world-lifecycles.ts';
import type { Instant } from '../time/clock.ts';
import type { Random } from '../time/random.ts';

export interface Lifecycles {
  readonly plan: LifecyclesFile;
  /** How many deployments failed because of each entry of `plan.deploy.failures`, by its index. */
  readonly used: Record<string, number>;
  /** When each agent, function and sandbox last handled a request, by uuid; in the future while it starts or wakes up for one. */
  readonly lastUsed: Record<string, Instant>;
  /** Sticky sessions by agent and client: which revision responds, and until when (exclusive). */
  readonly sessions: Record<string, { readonly revision: string; readonly until: Instant }>;
}

export function createLifecycles({ deploy, tasks, instances, sandboxes }: LifecyclesFile): Lifecycles {
  const plan: LifecyclesFile = {
    ...(deploy && { deploy }),
    ...(tasks && { tasks }),
    ...(instances && { instances }),
    ...(sandboxes && { sandboxes }),
  };
  return { plan, used: {}, lastUsed: {}, sessions: {} };
}

const TWO_TO_32 = 2 ** 32;

/** Milliseconds. Draws from `random` only for a range of more than one value. */
export function drawDuration(range: string | undefined, byDefault: number, random: Random): number {
  const parsed = range === undefined ? undefined : parseDurationRange(range);
  if (parsed === undefined) return byDefault;
  const { min, max } = parsed;
  return min === max ? min : min + Math.floor((random.next() / TWO_TO_32) * (max - min + 1));
}

/** Draws from `random` only if the probability is neither 0 nor 1. */
export function drawWhether(probability: number, random: Random): boolean {
  if (probability <= 0 || probability >= 1) return probability >= 1;
  return random.next() < probability * TWO_TO_32;
}

/**
 * Milliseconds until the instance or sandbox that is starting is ready; 0 if none is. `range`: how long a start takes. Ignores a
 * `lastUsed` further ahead than a start can take: the clock was set back.
 */
export function remainingStartMs(lastUsed: Instant | undefined, range: string | undefined, now: Instant): number {
  const longest = range === undefined ? 0 : (parseDurationRange(range)?.max ?? 0);
  const remaining = (lastUsed ?? now) - now;
  return remaining > 0 && remaining <= longest ? remaining : 0;
}
