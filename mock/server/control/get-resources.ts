/** GET /_mock/resources: a summary of every resource, by kind; with the filter `name`, also the whole resource. */
import { invalidField } from '../../http/problems.ts';
import { ok } from '../../http/reply.ts';
import type { Workspace } from '../../state/accounts.ts';
import { timestamp } from '../../time/clock.ts';
import { statusAt } from '../../state/deployments.ts';
import { resourceBody } from '../../domains/resources/envelope.ts';
import { kindIds, kinds, placeAt } from '../../domains/resources/kinds.ts';
import type { Place } from '../../domains/resources/kind.ts';
import { listResources, type Resource } from '../../state/resources.ts';
import type { World } from '../../world/world.ts';
import type { ControlCall } from './control-call.ts';
import type { ResourceView } from './views.ts';

const FILTERS = ['home', 'collection', 'name'] as const;

export const getResources: ControlCall = {
  query: FILTERS,
  handle: ({ served: { world }, query }) => {
    requireCollection(world, query['collection']);
    const isWanted = (view: ResourceView) => FILTERS.every((name) => (query[name] ?? view[name]) === view[name]);
    const collections = collectionsOf(world).toSorted(
      (a, b) => kindIds.indexOf(a.place.id) - kindIds.indexOf(b.place.id),
    );
    const resources = collections.flatMap((collection) => resourcesIn(world, collection, query['name'] !== undefined));
    return ok({ resources: resources.filter(isWanted) });
  },
};

/** Of an unknown collection there are no resources, but it is a mistake. */
function requireCollection({ workspaces }: World, collection: string | undefined): void {
  const [workspace] = workspaces.values();
  if (collection === undefined || workspace === undefined || placeAt(workspace, collection) !== undefined) return;
  const top = kindIds.filter((id) => kinds[id].parent === undefined).map((id) => kinds[id].collection);
  throw invalidField(
    'collection',
    collection,
    `${top.join(', ')}, or one below a resource: sandboxes/demo-box/previews`,
  );
}

interface Collection {
  readonly key: string;
  readonly home: string;
  readonly place: Place;
}

function collectionsOf(world: World): Collection[] {
  return [...world.resources.keys()].flatMap((key) => {
    const [home = '', ...rest] = key.split('/');
    const workspace = workspaceOf(world, home);
    const place = workspace && placeAt(workspace, rest.join('/'));
    return place === undefined ? [] : [{ key, home, place }];
  });
}

function resourcesIn(world: World, { key, home, place }: Collection, whole: boolean): ResourceView[] {
  return listResources(world, key).map((resource) => ({
    home,
    collection: place.collection,
    ...summary(world, place, resource),
    ...(whole && { resource: resourceBody(world, place, resource) }),
  }));
}

function summary({ clock }: World, { kind }: Place, resource: Resource) {
  const { name, metadata, deployments, updatedAt } = resource;
  const { displayName } = metadata;
  return {
    kind: kind.noun,
    name,
    displayName: typeof displayName === 'string' ? displayName : null,
    status: kind.course === undefined ? null : (statusAt(deployments, clock.now()) ?? 'TERMINATED'),
    updatedAt: timestamp(updatedAt),
  };
}

/** Any workspace of an account can represent the account's resources. */
function workspaceOf({ workspaces }: World, home: string): Workspace | undefined {
  if (!home.startsWith('account:')) return workspaces.get(home);
  return [...workspaces.values()].find(({ account }) => account === home.slice('account:'.length));
}
