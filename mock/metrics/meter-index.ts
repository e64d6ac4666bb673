/** An index of an account's meters for queries: flat stretches of usage with their readings, and groupings. */
import { microUsdPerTick, type BillingDimension } from './dimensions.ts';
import { steadyKind } from './causes.ts';
import {
  entryFields,
  fieldValue,
  isResourceField,
  keyText,
  type GroupByValue,
  type GroupKey,
  type ResourceField,
} from './groups.ts';
import type { Meter, MeteredResource, MeteredUse, Span } from './meters.ts';
import {
  periodicPattern,
  scheduledPattern,
  steadyPattern,
  ticksAt,
  trafficPattern,
  type UsagePattern,
} from './usage-patterns.ts';

/** One span of a meter. Times are whole seconds: the fraction of an instant is dropped everywhere alike. */
export interface Stretch {
  readonly resource: MeteredResource;
  readonly dimension: BillingDimension;
  readonly usagePattern: UsagePattern;
  /** Micro-dollars for each tick of the usage pattern; a whole number. */
  readonly rate: number;
  readonly start: number;
  /** Infinity while it continues. */
  readonly end: number;
  readonly ticksAtStart: number;
  readonly ticksAtEnd: number;
}

export interface Group {
  readonly key: GroupKey;
  readonly stretches: readonly Stretch[];
}

/** The stretches of one dimension. */
interface Part {
  readonly dimension: BillingDimension;
  readonly stretches: readonly Stretch[];
}

interface Metered {
  readonly seed: number;
  readonly resource: MeteredResource;
  readonly stretches: readonly Stretch[];
  /** The same stretches, in order of their dimensions. */
  readonly parts: readonly Part[];
  /** Its place in groupings requested so far, by their fields: valid after a change of other resources. */
  readonly places: Map<string, Place>;
}

/** A resource in a grouping. */
interface Place {
  readonly key: GroupKey;
  /** The key's text, which is what orders crowds and groups. */
  readonly text: string;
  /** One group for each of its dimensions. */
  readonly groups: readonly Group[];
  /** Its position when it was last sorted; -1 before. */
  rank: number;
}

export interface MeterIndex {
  readonly seed: number;
  /** In seconds since 1970: no usage is before. */
  readonly earliest: number;
  readonly metered: readonly Metered[];
  /** Groupings requested so far, by their fields, in canonical order. */
  readonly groupings: Map<string, readonly Group[]>;
}

const indexes = new WeakMap<readonly MeteredResource[], MeterIndex>();

/**
 * The index of an account's resources, cached per array. The array is frozen, so a change creates a new array and never
 * uses an outdated index.
 */
export function indexOf(resources: readonly MeteredResource[], seed: number): MeterIndex {
  const known = indexes.get(resources);
  if (known?.seed === seed) return known;
  const metered = Object.freeze(resources).map((resource) => meteredOf(resource, seed));
  let earliest = Infinity;
  for (const { stretches } of metered) for (const { start } of stretches) earliest = Math.min(earliest, start);
  const index = { seed, earliest, metered, groupings: new Map<string, readonly Group[]>() };
  indexes.set(resources, index);
  return index;
}

// After a change nearly every resource is the same, so reusing these halves the time of the next response.
const meteredBefore = new WeakMap<MeteredResource, Metered>();

function meteredOf(resource: MeteredResource, seed: number): Metered {
  const known = meteredBefore.get(resource);
  if (known?.seed === seed) return known;
  const stretches = stretchesOf(resource, seed);
  const metered = { seed, resource, stretches, parts: partsOf(stretches), places: new Map<string, Place>() };
  meteredBefore.set(resource, metered);
  return metered;
}

function stretchesOf(resource: MeteredResource, seed: number): Stretch[] {
  const stretches = [];
  for (const meter of resource.meters) {
    for (const span of meter.spans) stretches.push(stretchOf(resource, meter, span, seed));
  }
  for (const use of resource.uses ?? []) stretches.push(stretchOfUse(resource, use));
  return stretches;
}

function stretchOfUse(resource: MeteredResource, { dimension, second, ticks, repeats }: MeteredUse): Stretch {
  const [usagePattern, end] = patternOfUse(second, repeats);
  return {
    resource,
    dimension,
    usagePattern,
    rate: ticks * microUsdPerTick(dimension),
    start: second,
    end,
    ticksAtStart: ticksAt(usagePattern, second),
    ticksAtEnd: ticksAt(usagePattern, end),
  };
}

/** With its end, which is exclusive. */
function patternOfUse(second: number, repeats: MeteredUse['repeats']): [pattern: UsagePattern, end: number] {
  if (repeats === undefined) return [periodicPattern(1, second), second + 1];
  if ('schedule' in repeats) return [scheduledPattern(repeats.schedule), repeats.until];
  const { everySeconds, times } = repeats;
  return [periodicPattern(everySeconds, second), second + (times - 1) * everySeconds + 1];
}

function stretchOf(resource: MeteredResource, meter: Meter, span: Span, seed: number): Stretch {
  const { dimension, use, weight } = meter;
  const usagePattern = use === 'steady' ? steadyPattern(steadyKind(dimension)) : trafficPattern(seed, use);
  const start = Math.floor(span.start / 1000);
  const end = span.end === undefined ? Infinity : Math.floor(span.end / 1000);
  const ticksAtStart = ticksAt(usagePattern, start);
  const ticksAtEnd = end === Infinity ? Infinity : ticksAt(usagePattern, end);
  const rate = weight * microUsdPerTick(dimension);
  return { resource, dimension, usagePattern, rate, start, end, ticksAtStart, ticksAtEnd };
}

/** All groups of a groupBy, with or without usage, in canonical order. */
export function groupsOf(index: MeterIndex, groupBy: readonly GroupByValue[]): readonly Group[] {
  const fields = entryFields(groupBy);
  const name = fields.join(' ');
  const known = index.groupings.get(name);
  if (known !== undefined) return known;
  const crowds = crowdsOf(index.metered, fields.filter(isResourceField));
  const groups = fields.every(isResourceField) ? crowds.map(wholeGroup) : crowds.flatMap(groupsByDimension);
  index.groupings.set(name, groups);
  return groups;
}

/** Resources with the same values of all the fields that a resource has. */
interface Crowd {
  readonly place: Place;
  readonly members: Metered[];
}

function crowdsOf(metered: readonly Metered[], fields: readonly ResourceField[]): readonly Crowd[] {
  const crowds = new Map<string, Crowd>();
  const name = fields.join(' ');
  for (const member of metered) {
    const place = placeOf(member, name, fields);
    const crowd = crowds.get(place.text);
    if (crowd === undefined) crowds.set(place.text, { place, members: [member] });
    else crowd.members.push(member);
  }
  const sorted = asLastSorted(crowds).sort(({ place: left }, { place: right }) => (left.text < right.text ? -1 : 1));
  for (const [rank, { place }] of sorted.entries()) place.rank = rank;
  return sorted;
}

function placeOf({ resource, parts, places }: Metered, name: string, fields: readonly ResourceField[]): Place {
  const known = places.get(name);
  if (known !== undefined) return known;
  const key = fields.map((field) => fieldValue(field, resource));
  const groups = parts.map(({ dimension, stretches }) => ({ key: [...key, dimension], stretches }));
  const place = { key, text: keyText(key), groups, rank: -1 };
  places.set(name, place);
  return place;
}

/** In the order of the last sort, then the new ones: sorting what is nearly sorted takes a tenth of the time. */
function asLastSorted(crowds: ReadonlyMap<string, Crowd>): Crowd[] {
  const ranked = Array.from<Crowd | undefined>({ length: crowds.size });
  const others: Crowd[] = [];
  for (const crowd of crowds.values()) {
    const { rank } = crowd.place;
    if (rank < 0 || rank >= ranked.length || ranked[rank] !== undefined) others.push(crowd);
    else ranked[rank] = crowd;
  }
  return [...ranked.filter((crowd) => crowd !== undefined), ...others];
}

function wholeGroup({ place: { key }, members }: Crowd): Group {
  return { key, stretches: stretchesOfAll(members) };
}

/** The dimension is the last field of a key, so the parts of a crowd stay together. */
function groupsByDimension({ place: { key, groups }, members }: Crowd): readonly Group[] {
  if (members.length === 1) return groups;
  return partsOf(stretchesOfAll(members)).map(({ dimension, stretches }) => ({ key: [...key, dimension], stretches }));
}

function stretchesOfAll(members: readonly Metered[]): readonly Stretch[] {
  const [first] = members;
  return first !== undefined && members.length === 1 ? first.stretches : members.flatMap(({ stretches }) => stretches);
}

function partsOf(stretches: readonly Stretch[]): Part[] {
  const parts = Map.groupBy(stretches, ({ dimension }) => dimension);
  return [...parts]
    .map(([dimension, part]) => ({ dimension, stretches: part }))
    .sort((left, right) => (left.dimension < right.dimension ? -1 : 1));
}
