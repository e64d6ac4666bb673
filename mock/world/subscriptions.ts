/** Connects the services of a world to its events, so that no write knows what depends on it. */
import { scheduleCron } from '../domains/inference/cron.ts';
import { asleep, settingsFrom } from '../domains/resources/settings.ts';
import { sleepAfterOf } from '../domains/sandbox/sleep.ts';
import type { Setting } from '../metrics/causes.ts';
import type { ResourceEvent } from '../state/events.ts';
import { beginLifetime, changeSettings, endLifetime } from '../state/lifetimes.ts';
import type { World } from './world.ts';

/** Listeners read the services on each event, because restoring a snapshot replaces them. */
export function subscribe(world: World): void {
  const { events } = world;

  const settingsOf = ({ collection, resource, at }: ResourceEvent): Setting[] => {
    const settings = settingsFrom(resource, at);
    const deployed = settings.findLast(({ serves }) => serves);
    const sleepAfter = collection === 'sandboxes' ? sleepAfterOf(world) : undefined;
    if (deployed === undefined || sleepAfter === undefined) return settings;
    return [...settings, asleep(resource, deployed.from + sleepAfter)];
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
  events.on('deleted', ({ resource: { uuid }, at }) => {
    if (uuid !== undefined) endLifetime(world, uuid, at);
  });

  for (const name of ['created', 'updated'] as const)
    events.on(name, ({ collection, resource }) => {
      if (collection === 'agents') scheduleCron(world, world.schedule, resource.spec);
    });
  events.on('scheduled', () => world.schedule.wake());

  events.on('deleted', ({ key, resource }) => world.mcp.end(`${key}/${resource.name}`));
  events.on('deleted', ({ key, resource }) => void world.connectionSecrets.delete(`${key}/${resource.name}`));
  events.on('deleted', ({ collection, workspace, resource }) => {
    if (collection === 'sandboxes') world.sandboxes.drop(workspace.name, resource.name);
  });
}
