/** An index of an account's meters for queries; a change of some resources updates it. */
import { entryFields, fieldValue, type EntryField, type GroupByValue, type ResourceField } from './groups.ts';
import { createGrouping, updateGrouping, type Change, type Group, type Grouping, type Metered } from './groupings.ts';
import type { MeteredAccount, MeteredResource } from './meters.ts';
import { stretchesOf } from './stretches.ts';

export interface MeterIndex {
  readonly seed: number;
  /** In seconds since 1970: no usage is before. */
  readonly earliest: number;
  readonly metered: readonly Metered[];
  /** Groupings requested so far, by their fields, of this index or of those that it was updated from. */
  readonly groupings: Map<string, CachedGrouping>;
  /** Absent until resources are requested by name or uuid. */
  positions?: Positions;
}

/**
 * Indices in `metered`, by uuid and by name. Shared with the indexes that this one was updated from, of which only the newest is
 * updated: a resource keeps its position, and those that were added later are beyond the end of earlier lists.
 */
interface Positions {
  readonly ofUuid: Map<string, number>;
  readonly ofName: Map<string, Set<number>>;
}

/** A grouping before some changes, which are applied when it is requested again. */
interface CachedGrouping {
  readonly grouping: Grouping;
  /** In order; empty if it is up to date. */
  readonly changes: readonly Change[];
}

const indexes = new WeakMap<readonly MeteredResource[], MeterIndex>();

/** The index of an account's resources, cached per array: the array is frozen, so an index is never outdated. */
export function indexOf({ resources, before }: MeteredAccount, seed: number): MeterIndex {
  const known = indexes.get(resources);
  if (known?.seed === seed) return known;
  Object.freeze(resources);
  const earlier = before && indexes.get(before);
  const updated = before && earlier?.seed === seed ? updateIndex(earlier, before, resources) : undefined;
  const index = updated ?? createIndex(resources, seed);
  indexes.set(resources, index);
  return index;
}

/** Whether an index of these resources exists, which can be updated. */
export function isIndexed(resources: readonly MeteredResource[]): boolean {
  return indexes.has(resources);
}

function createIndex(resources: readonly MeteredResource[], seed: number): MeterIndex {
  const metered = resources.map((resource) => ({ resource, stretches: stretchesOf(resource, seed) }));
  return { seed, earliest: earliestOf(metered), metered, groupings: new Map() };
}

/** Beyond, building the index anew is faster. */
const MAX_CHANGES = 200;

/** Undefined unless a few resources have changed or were added at the end. `earlier`: the resources of the index. */
function updateIndex(
  { seed, earliest, metered, groupings, positions }: MeterIndex,
  earlier: readonly MeteredResource[],
  resources: readonly MeteredResource[],
): MeterIndex | undefined {
  if (resources.length < metered.length) return undefined;
  const all = [...metered];
  const changes: Change[] = [];
  for (const [at, resource] of resources.entries()) {
    // Compared in the arrays: reading 100,000 objects takes longer than the rest.
    if (earlier[at] === resource) continue;
    const before = metered[at];
    if (changes.length === MAX_CHANGES || (before !== undefined && !hasSameIdentity(before.resource, resource)))
      return undefined;
    const after = { resource, stretches: stretchesOf(resource, seed) };
    changes.push({ before, after });
    all[at] = after;
  }
  const changed = changes.map(({ after }) => after);
  if (positions !== undefined) addPositions(positions, all, metered.length);
  return {
    seed,
    earliest: Math.min(earliest, earliestOf(changed)),
    metered: all,
    groupings: addChanges(groupings, changes),
    ...(positions && { positions }),
  };
}

function addPositions({ ofUuid, ofName }: Positions, metered: readonly Metered[], from: number): void {
  for (let at = from; at < metered.length; at++) {
    const { name = '', uuid } = metered[at]?.resource ?? {};
    if (uuid !== undefined) ofUuid.set(uuid, at);
    const namesakes = ofName.get(name);
    if (namesakes === undefined) ofName.set(name, new Set([at]));
    else namesakes.add(at);
  }
}

/** The resources of a name or a uuid; undefined if neither is given. */
export function resourcesNamed(
  index: MeterIndex,
  { resourceName, resourceUuid }: { readonly resourceName?: string; readonly resourceUuid?: string },
): Metered[] | undefined {
  if (resourceName === undefined && resourceUuid === undefined) return undefined;
  const { metered } = index;
  if (index.positions === undefined) {
    index.positions = { ofUuid: new Map(), ofName: new Map() };
    addPositions(index.positions, metered, 0);
  }
  const { ofUuid, ofName } = index.positions;
  const positions = resourceUuid === undefined ? ofName.get(resourceName ?? '') : [ofUuid.get(resourceUuid) ?? -1];
  return [...(positions ?? [])].flatMap((at) => metered[at] ?? []);
}

function addChanges(groupings: MeterIndex['groupings'], added: readonly Change[]): MeterIndex['groupings'] {
  const all = [...groupings].map(([name, { grouping, changes }]) => {
    return [name, { grouping, changes: [...changes, ...added] }] as const;
  });
  return new Map(all.filter(([, { changes }]) => changes.length <= MAX_CHANGES));
}

const IDENTITY: readonly ResourceField[] = ['workspace', 'resourceType', 'resourceName', 'resourceUuid'];

function hasSameIdentity(one: MeteredResource, other: MeteredResource): boolean {
  return IDENTITY.every((field) => fieldValue(field, one) === fieldValue(field, other));
}

function earliestOf(metered: readonly Metered[]): number {
  let earliest = Infinity;
  for (const { stretches } of metered) for (const { start } of stretches) earliest = Math.min(earliest, start);
  return earliest;
}

/** All groups of a groupBy, with or without usage, in canonical order. */
export function groupsOf({ metered, groupings }: MeterIndex, groupBy: readonly GroupByValue[]): readonly Group[] {
  const fields: readonly EntryField[] = entryFields(groupBy);
  const name = fields.join(' ');
  const known = groupings.get(name);
  if (known?.changes.length === 0) return known.grouping.groups;
  const grouping =
    known === undefined ? createGrouping(metered, fields) : updateGrouping(known.grouping, known.changes);
  groupings.set(name, { grouping, changes: [] });
  return grouping.groups;
}
