/** The meters of an account prepared for questions: flat stretches of use with their readings, and their groupings. */
import { dimensionRow, microUsdPerTick, type BillingDimension } from './dimensions.ts';
import {
  entryFields,
  fieldValue,
  isResourceField,
  keyText,
  type GroupByValue,
  type GroupKey,
  type ResourceField,
} from './groups.ts';
import type { Meter, MeteredResource, Span } from './meters.ts';
import { profilesOf, ticksAt, type Profile, type Profiles } from './profiles.ts';

/** One span of a meter. Times are whole seconds: the fraction of an instant is dropped everywhere alike. */
export interface Stretch {
  readonly resource: MeteredResource;
  readonly dimension: BillingDimension;
  readonly profile: Profile;
  /** Micro-dollars for each tick of the profile; a whole number. */
  readonly rate: number;
  readonly start: number;
  /** Infinity while it goes on. */
  readonly end: number;
  readonly ticksAtStart: number;
  readonly ticksAtEnd: number;
}

export interface Group {
  readonly key: GroupKey;
  /** The key's text, which groups are in the order of. */
  readonly text: string;
  readonly stretches: readonly Stretch[];
}

interface Metered {
  readonly resource: MeteredResource;
  readonly stretches: readonly Stretch[];
}

export interface MeterIndex {
  readonly seed: number;
  readonly metered: readonly Metered[];
  /** Each kind of grouping that was asked for, by its fields; in canonical order. */
  readonly groupings: Map<string, readonly Group[]>;
}

const indexes = new WeakMap<readonly MeteredResource[], MeterIndex>();

/**
 * The index of an account's resources, kept for as long as the array is. The array is frozen: whoever changes the
 * resources makes a new one, and so can never be answered from an old index.
 */
export function indexOf(resources: readonly MeteredResource[], seed: number): MeterIndex {
  const known = indexes.get(resources);
  if (known?.seed === seed) return known;
  const profiles = profilesOf(seed);
  const metered = Object.freeze(resources).map((resource) => ({
    resource,
    stretches: stretchesOf(resource, profiles),
  }));
  const index = { seed, metered, groupings: new Map<string, readonly Group[]>() };
  indexes.set(resources, index);
  return index;
}

function stretchesOf(resource: MeteredResource, profiles: Profiles): Stretch[] {
  const stretches = [];
  for (const meter of resource.meters) {
    for (const span of meter.spans) stretches.push(stretchOf(resource, meter, span, profiles));
  }
  return stretches;
}

function stretchOf(resource: MeteredResource, meter: Meter, span: Span, profiles: Profiles): Stretch {
  const { dimension, weight } = meter;
  const profile = profiles[dimensionRow(dimension).kind][meter.profile];
  if (profile === undefined) throw new RangeError(`${dimension} has no profile ${meter.profile}.`);
  const start = Math.floor(span.start / 1000);
  const end = span.end === undefined ? Infinity : Math.floor(span.end / 1000);
  const ticksAtStart = ticksAt(profile, start);
  const ticksAtEnd = end === Infinity ? Infinity : ticksAt(profile, end);
  const rate = weight * microUsdPerTick(dimension);
  return { resource, dimension, profile, rate, start, end, ticksAtStart, ticksAtEnd };
}

/** All groups that a groupBy makes of the account's meters, used or not, in canonical order. */
export function groupsOf(index: MeterIndex, groupBy: readonly GroupByValue[]): readonly Group[] {
  const fields = entryFields(groupBy);
  const name = fields.join(' ');
  const known = index.groupings.get(name);
  if (known !== undefined) return known;
  const groups = groupResources(index.metered, fields.filter(isResourceField));
  const all = fields.every(isResourceField) ? groups : groups.flatMap(splitByDimension);
  index.groupings.set(name, all);
  return all;
}

function groupResources(metered: readonly Metered[], fields: readonly ResourceField[]): Group[] {
  const groups = new Map<string, { key: GroupKey; text: string; stretches: Stretch[] }>();
  for (const { resource, stretches } of metered) {
    const key = fields.map((field) => fieldValue(field, resource));
    const text = keyText(key);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { key, text, stretches: [...stretches] });
    else group.stretches.push(...stretches);
  }
  return [...groups.values()].sort(byText);
}

/** The dimension is the last field of a key, so the parts of a group stay together, in order of their dimensions. */
function splitByDimension({ key, text, stretches }: Group): Group[] {
  const parts = new Map<BillingDimension, Stretch[]>();
  for (const stretch of stretches) {
    const part = parts.get(stretch.dimension);
    if (part === undefined) parts.set(stretch.dimension, [stretch]);
    else part.push(stretch);
  }
  return [...parts]
    .map(([dimension, part]) => ({ key: [...key, dimension], text: `${text}\0${dimension}`, stretches: part }))
    .sort(byText);
}

function byText(left: Group, right: Group): number {
  return left.text < right.text ? -1 : 1;
}
