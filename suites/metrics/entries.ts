/** Entries of metrics responses: their name fields, which dimensions fill them, and keys that identify an entry. */
import type { AccountMetricsDataEntry } from '../../spec/generated/types.ts';
import type { Run } from '../engine/conforms.ts';
import { dimensions, dimensionsFor, setsOf } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';

export type Entry = AccountMetricsDataEntry;

export const fieldOf = {
  workspace: 'workspace',
  resource_type: 'resourceType',
  resource_name: 'resourceName',
  resource_uuid: 'resourceUuid',
  billing_dimension: 'billingDimension',
} as const satisfies Record<Dimension, keyof Entry>;

export type Field = (typeof fieldOf)[Dimension];

export const fields: readonly Field[] = dimensions.map((dimension) => fieldOf[dimension]);

/** The fields that a dimension fills in addition to its own. */
export const enrichmentOf: Readonly<Record<Dimension, readonly Field[]>> = {
  workspace: [],
  resource_type: [],
  resource_name: ['workspace', 'resourceType'],
  resource_uuid: ['workspace', 'resourceType', 'resourceName'],
  billing_dimension: ['resourceType'],
};

export function requestedFields(set: readonly Dimension[]): Field[] {
  return set.map((dimension) => fieldOf[dimension]);
}

/** All fields that entries of a grouping have, in one order. */
export function filledFields(set: readonly Dimension[]): Field[] {
  const filled = new Set(set.flatMap((dimension) => [fieldOf[dimension], ...enrichmentOf[dimension]]));
  return fields.filter((field) => filled.has(field));
}

/** '' if the field is absent or not a string. */
export function valueOf(entry: Entry, field: Field): string {
  const value: unknown = entry[field];
  return typeof value === 'string' ? value : '';
}

/** Equal for entries with equal values in these fields, different otherwise. */
export function keyOf(entry: Entry, names: readonly Field[]): string {
  return names.map((field) => `${field}=${JSON.stringify(valueOf(entry, field))}`).join(' ');
}

/** Every set that the run's credential may group by, in canonical order. */
export function groupings(run: Run): Dimension[][] {
  return setsOf(dimensionsFor(run));
}

/** The groupings without resource_uuid, which not every resource has. */
export function certainGroupings(run: Run): Dimension[][] {
  return groupings(run).filter((set) => !set.includes('resource_uuid'));
}

/** The grouping with the most groups whose names are guaranteed. */
export function finestGrouping(run: Run): Dimension[] {
  const finest: Dimension[] = ['workspace', 'resource_name', 'billing_dimension'];
  return finest.filter((dimension) => dimensionsFor(run).includes(dimension));
}

/** resourceUuid is best effort: entries without one are not a group. */
export function identified(set: readonly Dimension[]): (entry: Entry) => boolean {
  return (entry) => !set.includes('resource_uuid') || valueOf(entry, 'resourceUuid') !== '';
}

/** The entry with the highest cost; undefined if there are none. */
export const mostExpensive = (entries: readonly Entry[]): Entry | undefined =>
  entries.toSorted((a, b) => b.summary.cost - a.summary.cost)[0];

export function describeEntry(entry: Entry): string {
  return keyOf(
    entry,
    fields.filter((field) => entry[field] !== undefined),
  );
}
