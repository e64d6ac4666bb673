/** Connects the services of a world to its events, so that no write knows what depends on it. */
import { scheduleCron } from '../domains/inference/cron.ts';
import { canaryLostAt } from '../domains/resources/canaries.ts';
import { executionsKey } from '../domains/resources/executions.ts';
import { noteConnectionChange, noteVolumeChange } from '../domains/resources/incidents.ts';
import { settingsFrom, sleepingSetting, withoutLostCanary, withVolumeLosses } from '../domains/resources/settings.ts';
import { endExecutions, stopExecutions } from '../domains/resources/stop-executions.ts';
import { withServedSpec } from '../domains/resources/workloads.ts';
import { sleepAfterOf } from '../domains/sandbox/sleep.ts';
import type { Setting } from '../metrics/causes.ts';
import { newestEndsAt } from '../state/deployments.ts';
import { servesAt } from '../state/revisions.ts';
import type { ResourceEvent } from '../state/events.ts';
import { beginLifetime, changeSettings, endLifetime } from '../state/lifetimes.ts';
import { findResource } from '../state/resources.ts';
import type { Instant } from '../time/clock.ts';
import type { World } from './world.ts';

/** Listeners read the services on each event, because restoring a snapshot replaces them. */
export function subscribe(world: World): void {
  const { events } = world;

  const settingsOf = (event: ResourceEvent): Setting[] =>
    withVolumeLosses(event.resource, event.at, settingsOfRunningCanary(event));
  const settingsOfRunningCanary = (event: ResourceEvent): Setting[] =>
    withoutLostCanary(settingsWithoutIncidents(event), event.at, lossOfCanary(event));
  const lossOfCanary = ({ collection, workspace, resource }: ResourceEvent): Instant | undefined =>
    collection === 'agents' ? canaryLostAt(world, workspace, resource) : undefined;
  const settingsWithoutIncidents = ({ collection, resource, at }: ResourceEvent): Setting[] => {
    const settings = settingsFrom(collection, resource, at);
    const sleepAfter = collection === 'sandboxes' ? sleepAfterOf(world) : undefined;
    if (sleepAfter === undefined) return settings;
    const deployed = settings.findLast(({ serves }) => serves);
    if (deployed !== undefined) return [...settings, sleepingSetting(resource, deployed.from + sleepAfter)];
    if (!servesAt(resource.deployments, at)) return settings;
    // The deployment fails, and the revision before it sleeps as planned.
    const lastUsed = world.lifecycles.lastUsed[resource.uuid ?? ''] ?? at;
    return [...settings, sleepingSetting(resource, Math.max(at, lastUsed + sleepAfter))];
  };
  events.on('created', (event) => {
    const { workspace, resource, meteredAs, at } = event;
    const { name, uuid } = resource;
    if (meteredAs && uuid)
      beginLifetime(world, workspace, { type: meteredAs, name, uuid, start: at, settings: settingsOf(event) });
  });
  events.on('updated', (event) => {
    const { uuid } = event.resource;
    if (uuid !== undefined) changeSettings(world, uuid, event.at, settingsOf(event));
  });
  events.on('updated', ({ collection, workspace, resource: { name }, at }) => {
    if (collection === 'volumes') noteVolumeChange(world, workspace, name, at);
    if (collection === 'integrations/connections') noteConnectionChange(world, workspace, name, at);
  });
  events.on('updated', ({ collection, key, resource, at }) => {
    if (collection === 'jobs') stopExecutions(world, executionsKey({ key }, resource.name), resource, at);
  });
  events.on('deleted', ({ collection, key, resource, at }) => {
    if (collection === 'jobs') endExecutions(world, executionsKey({ key }, resource.name), resource, at);
  });
  events.on('deleted', ({ resource: { uuid }, at }) => {
    if (uuid !== undefined) endLifetime(world, uuid, at);
  });

  for (const name of ['created', 'updated'] as const)
    events.on(name, ({ collection, resource }) => {
      if (collection === 'agents') scheduleCron(world, world.schedule, resource.spec);
    });
  events.on('scheduled', () => world.schedule.wake());

  events.on('updated', (event) => {
    const { collection, key, workspace, resource, at } = event;
    if (!isScaled(collection)) return;
    const update = (): void => {
      const found = findResource(world, key, resource.name);
      if (found === undefined) return;
      world.instances.update(world, withServedSpec(world, { workspace, collection, resource: found }));
    };
    // Also if no request runs yet: from then on the active revision responds instead of the canary.
    const lostAt = lossOfCanary(event);
    if (lostAt !== undefined && lostAt > at) world.timers.at(lostAt, update);
    if (!world.instances.isBusy({ workspace, collection, resource })) return;
    // The choice of the active revision applies at once, the runtime of an update when it is deployed.
    update();
    world.timers.at(newestEndsAt(resource.deployments), update);
  });
  events.on('deleted', ({ collection, workspace, resource }) => {
    if (isScaled(collection)) world.instances.end({ workspace, collection, resource });
  });
  events.on('deleted', ({ key, resource }) => world.mcp.end(`${key}/${resource.name}`));
  events.on('deleted', ({ key, resource }) => void world.connectionSecrets.delete(`${key}/${resource.name}`));
  events.on('deleted', ({ collection, workspace, resource }) => {
    if (collection === 'sandboxes') world.sandboxes.drop(workspace.name, resource.name);
  });
}

const SCALED = ['agents', 'functions', 'models'] as const;

/** Whether requests to workloads of the collection need an instance for themselves. */
function isScaled(collection: string): collection is (typeof SCALED)[number] {
  return (SCALED as readonly string[]).includes(collection);
}
