/** The groups of a groupBy: built once, and updated when some of the resources change. */
import type { BillingDimension } from './dimensions.ts';
import { fieldValue, isResourceField, keyText, type EntryField, type GroupKey, type ResourceField } from './groups.ts';
import type { MeteredResource } from './meters.ts';
import { partitionPoint } from './partition-point.ts';
import type { Stretch } from './stretches.ts';

export interface Metered {
  readonly resource: MeteredResource;
  readonly stretches: readonly Stretch[];
}

export interface Group {
  readonly key: GroupKey;
  readonly stretches: readonly Stretch[];
}

export interface Grouping {
  readonly fields: readonly EntryField[];
  /** In order of their texts. */
  readonly crowds: readonly Crowd[];
  /** Of all crowds, in canonical order. */
  readonly groups: readonly Group[];
}

/** Resources with the same values of all the fields that a resource has. */
interface Crowd {
  readonly key: GroupKey;
  /** The text of the key, which is what orders crowds and groups. */
  readonly text: string;
  readonly members: readonly Metered[];
  /** One, or one for each billing dimension. */
  readonly groups: readonly Group[];
}

/** A resource that has changed, but not its identity; or one that was added. */
export interface Change {
  /** Absent if it was added. */
  readonly before?: Metered | undefined;
  readonly after: Metered;
}

export function createGrouping(metered: readonly Metered[], fields: readonly EntryField[]): Grouping {
  const membersByText = Map.groupBy(metered, ({ resource }) => keyText(keyOf(resource, fields)));
  const texts = [...membersByText.keys()].sort();
  return collectGroups(
    fields,
    texts.map((text) => crowdOf(membersByText.get(text) ?? [], fields)),
  );
}

export function updateGrouping({ fields, crowds }: Grouping, changes: readonly Change[]): Grouping {
  const all = [...crowds];
  const changesByText = Map.groupBy(changes, ({ after }) => keyText(keyOf(after.resource, fields)));
  for (const [text, own] of changesByText) {
    const at = partitionPoint(all, (crowd) => crowd.text < text);
    const known = all[at];
    if (known?.text === text) all[at] = changeCrowd(known, own, fields);
    else all.splice(at, 0, crowdOf(applyChanges([], own), fields));
  }
  return collectGroups(fields, all);
}

/** Beyond, building a crowd anew is faster. */
const MAX_REPLACEMENTS = 8;

/** Replaces the stretches of members that have changed, because a crowd may have a million. */
function changeCrowd(crowd: Crowd, changes: readonly Change[], fields: readonly EntryField[]): Crowd {
  const isByDimension = !fields.every(isResourceField);
  const dimensions = new Set(crowd.groups.map(({ key }) => key.at(-1)));
  const hasGroup = ({ dimension }: Stretch): boolean => !isByDimension || dimensions.has(dimension);
  if (changes.length > MAX_REPLACEMENTS || !changes.every(({ after }) => after.stretches.every(hasGroup)))
    return crowdOf(applyChanges(crowd.members, changes), fields);
  const members = [...crowd.members];
  for (const { before, after } of changes) replaceRun(members, before === undefined ? [] : [before], [after]);
  const groups = crowd.groups.map(({ key, stretches }) => {
    const own = (metered: Metered | undefined): readonly Stretch[] =>
      (metered?.stretches ?? []).filter(({ dimension }) => !isByDimension || dimension === key.at(-1));
    const all = [...stretches];
    for (const { before, after } of changes) replaceRun(all, own(before), own(after));
    return { key, stretches: all };
  });
  return { ...crowd, members, groups };
}

/** Replaces items that follow each other; without any, adds others at the end. */
function replaceRun<Item>(all: Item[], run: readonly Item[], others: readonly Item[]): void {
  const [first] = run;
  const at = first === undefined ? all.length : all.indexOf(first);
  if (at < 0) throw new Error('A changed resource is not in its group.');
  all.splice(at, run.length, ...others);
}

/** A resource may have changed several times. */
function applyChanges(members: readonly Metered[], changes: readonly Change[]): Metered[] {
  const added = changes.flatMap(({ before, after }) => (before === undefined ? [after] : []));
  const afters = new Map(changes.map(({ before, after }) => [before, after]));
  const latest = (member: Metered): Metered => {
    const after = afters.get(member);
    return after === undefined ? member : latest(after);
  };
  return [...members, ...added].map(latest);
}

function collectGroups(fields: readonly EntryField[], crowds: readonly Crowd[]): Grouping {
  const groups: Group[] = [];
  for (const crowd of crowds) for (const group of crowd.groups) groups.push(group);
  return { fields, crowds, groups };
}

/** `members`: at least one. */
function crowdOf(members: readonly Metered[], fields: readonly EntryField[]): Crowd {
  const [first] = members;
  const key = first === undefined ? [] : keyOf(first.resource, fields);
  const stretches = first !== undefined && members.length === 1 ? first.stretches : stretchesOfAll(members);
  const groups = fields.every(isResourceField)
    ? [{ key, stretches }]
    : partsOf(stretches).map(([dimension, part]) => ({ key: [...key, dimension], stretches: part }));
  return { key, text: keyText(key), members, groups };
}

/** A loop, because flatMap takes several times as long. */
function stretchesOfAll(members: readonly Metered[]): Stretch[] {
  const all: Stretch[] = [];
  for (const { stretches } of members) for (const stretch of stretches) all.push(stretch);
  return all;
}

/** The values of the fields that a resource has: the billing dimension is the last field of a key. */
function keyOf(resource: MeteredResource, fields: readonly EntryField[]): GroupKey {
  return fields.filter(isResourceField).map((field: ResourceField) => fieldValue(field, resource));
}

/** In order of the dimensions. */
function partsOf(stretches: readonly Stretch[]): [BillingDimension, Stretch[]][] {
  return [...Map.groupBy(stretches, ({ dimension }) => dimension)].sort(([one], [other]) => (one < other ? -1 : 1));
}
