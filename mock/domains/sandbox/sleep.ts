/** Sandboxes that sleep after their last request, if the world file says so, and wake up for the next one. */
import { parseDuration } from '../../../spec/formats/durations.ts';
import { newestEndsAt } from '../../state/deployments.ts';
import { servesAt } from '../../state/revisions.ts';
import { drawDuration, remainingStartMs } from '../../state/lifecycles.ts';
import { changeSettings } from '../../state/lifetimes.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { requireRoomForMetering } from '../resources/room.ts';
import { runningSetting, settingsFrom, sleepingSetting, withVolumeLosses } from '../resources/settings.ts';

/** Milliseconds without a request; undefined if sandboxes never sleep. */
export function sleepAfterOf({ lifecycles }: WorldState): number | undefined {
  const { sleepAfter } = lifecycles.plan.sandboxes ?? {};
  return sleepAfter === undefined ? undefined : parseDuration(sleepAfter);
}

/**
 * Notes a request to a sandbox. Returns how long the request waits, in milliseconds: 0 unless the sandbox sleeps or wakes up. Does
 * nothing if sandboxes never sleep, or this one is not serving. Throws a problem if no more can be metered.
 */
export function wakeUp(world: WorldState, sandbox: Resource): number {
  const sleepAfter = sleepAfterOf(world);
  const { uuid, deployments } = sandbox;
  const now = world.clock.now();
  if (sleepAfter === undefined || uuid === undefined || !servesAt(deployments, now)) return 0;
  const deployedAt = newestEndsAt(deployments);
  const isDeploying = deployedAt > now;
  requireRoomForMetering(world, 2);
  const sleeps = world.lifetimes.get(uuid)?.settings.findLast(({ from }) => from <= now)?.sleeps === true;
  const { lastUsed, plan } = world.lifecycles;
  const range = plan.sandboxes?.wakeUp;
  const waitMs = sleeps ? drawDuration(range, 0, world.random) : remainingStartMs(lastUsed[uuid], range, now);
  const awakeAt = now + waitMs;
  lastUsed[uuid] = awakeAt;
  // An update that is being deployed replaces the revision that runs.
  const planned = isDeploying ? settingsFrom('sandboxes', sandbox, now) : [];
  const running = [...(sleeps ? [runningSetting(sandbox, now)] : []), ...planned];
  const settings = [...running, sleepingSetting(sandbox, Math.max(awakeAt, deployedAt) + sleepAfter)];
  changeSettings(world, uuid, now, withVolumeLosses(sandbox, now, settings));
  return waitMs;
}
