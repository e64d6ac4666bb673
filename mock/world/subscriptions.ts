/** Connects the services of a world to its events, so that no write knows what depends on it. */
import { scheduleCron } from '../domains/inference/cron.ts';
import { settingsFrom } from '../domains/resources/settings.ts';
import { beginLifetime, changeSettings, endLifetime } from '../state/lifetimes.ts';
import type { World } from './world.ts';

/** Listeners read the services on each event, because restoring a snapshot replaces them. */
export function subscribe(world: World): void {
  const { events } = world;

  events.on('created', ({ workspace, resource, meteredAs, at }) => {
    const { name, uuid } = resource;
    if (meteredAs && uuid)
      beginLifetime(world, workspace, { type: meteredAs, name, uuid, start: at, settings: settingsFrom(resource, at) });
  });
  events.on('updated', ({ resource, at }) => {
    if (resource.uuid !== undefined) changeSettings(world, resource.uuid, at, settingsFrom(resource, at));
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
  events.on('deleted', ({ collection, workspace, resource }) => {
    if (collection === 'sandboxes') world.sandboxes.drop(workspace.name, resource.name);
  });
}
