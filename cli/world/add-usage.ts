/** Gives the resources of a world file the usage that the metrics show. */
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import type { KindId } from '../../mock/domains/resources/kind.ts';
import type { ResourceFile } from '../../spec/formats/world-file.ts';
import { keptName, ownWorkspace, type Context } from './context.ts';
import type { Metered, MeteredUsage } from './metered-usage.ts';

const kindOfType: ReadonlyMap<string, KindId> = new Map(
  kindIds.flatMap((id) => (kinds[id].meteredAs === undefined ? [] : [[kinds[id].meteredAs, id] as const])),
);

/** Adds the usage to the resources; that of others, and from before their creation, to deleted resources. */
export function withUsage(
  live: readonly ResourceFile[],
  { usage, isKnown }: Metered,
  context: Context,
): ResourceFile[] {
  if (!isKnown) return [...live];
  const { note } = context;
  const placeOf = (each: MeteredUsage): string =>
    [ownWorkspace(each.workspace, context), kindOfType.get(each.resourceType), keptName(each.name, context)].join(' ');
  const byPlace = Map.groupBy(usage, placeOf);
  const dated = (each: MeteredUsage) => ({
    dimension: each.dimension,
    from: new Date(each.from).toISOString(),
    to: new Date(each.to).toISOString(),
    amount: each.amount,
  });
  const metered = live.map((resource): ResourceFile => {
    if (![...kindOfType.values()].some((id) => kinds[id].collection === resource.collection)) return resource;
    const place = `${resource.workspace} ${resource.collection} ${resource.name}`;
    const [own, before] = partition(byPlace.get(place) ?? [], ({ from }) => Date.parse(resource.createdAt!) <= from);
    if (before.length === 0) byPlace.delete(place);
    else byPlace.set(place, before);
    return { ...resource, isUsageComplete: true, ...(own.length > 0 && { usage: own.map(dated) }) };
  });
  const past = [...byPlace].map(([place, own]): ResourceFile => {
    const [workspace = '', collection = '', ownName = ''] = place.split(' ');
    const isThere = live.some(
      (each) => each.workspace === workspace && each.collection === collection && each.name === ownName,
    );
    if (!isThere) note(`${collection} that only the metrics name, except as deleted ones with their usage`);
    const [from, to] = [Math.min(...own.map((each) => each.from)), Math.max(...own.map((each) => each.to))];
    const [createdAt, deletedAt] = [new Date(from).toISOString(), new Date(to).toISOString()];
    return { workspace, collection, name: ownName, createdAt, deletedAt, isUsageComplete: true, usage: own.map(dated) };
  });
  return [...metered, ...past];
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
