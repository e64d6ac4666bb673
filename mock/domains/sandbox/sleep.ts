/** Sandboxes that sleep after their last request, if the world file says so, and wake up for the next one. */
import { parseDuration } from '../../../spec/formats/durations.ts';
import { restsAt, servesAt } from '../../state/deployments.ts';
import { drawDuration } from '../../state/lifecycles.ts';
import { changeSettings } from '../../state/lifetimes.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { asleep, awake } from '../resources/settings.ts';

/** Milliseconds without a request; undefined if sandboxes never sleep. */
export function sleepAfterOf({ lifecycles }: WorldState): number | undefined {
  const { sleepAfter } = lifecycles.plan.sandboxes ?? {};
  return sleepAfter === undefined ? undefined : parseDuration(sleepAfter);
}

/**
 * Notes a request to a sandbox. Returns how long the request waits, in milliseconds: 0 unless the sandbox sleeps. Does nothing if
 * sandboxes never sleep, or this one is not serving.
 */
export function wakeUp(world: WorldState, sandbox: Resource): number {
  const sleepAfter = sleepAfterOf(world);
  const { uuid, deployments } = sandbox;
  const now = world.clock.now();
  if (sleepAfter === undefined || uuid === undefined || !servesAt(deployments, now)) return 0;
  const last = Math.max(world.lifecycles.lastUsed[uuid] ?? -Infinity, restsAt(deployments));
  world.lifecycles.lastUsed[uuid] = now;
  const sleeps = now - last >= sleepAfter;
  const later = asleep(sandbox, now + sleepAfter);
  changeSettings(world, uuid, now, sleeps ? [awake(sandbox, now), later] : [later]);
  return sleeps ? drawDuration(world.lifecycles.plan.sandboxes?.wakeUp, 0, world.random) : 0;
}
