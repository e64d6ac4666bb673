/** Groups: the groupBy dimensions, the fields each one fills, and the order of entries. */
import type { GroupByDimension } from '../../spec/generated/types.ts';
import { groupByDimensions, limits } from '../../spec/values.ts';
import type { MeteredResource } from './meters.ts';

/** Every valid groupBy value, in canonical order. */
export const GROUP_BY_VALUES = groupByDimensions;

export type GroupByValue = GroupByDimension;

export const MAX_GROUP_BY_VALUES = limits.groupByDimensions;

/** The fields that identify an entry, in serialization and sort order. */
const ENTRY_FIELDS = ['workspace', 'resourceType', 'resourceName', 'resourceUuid', 'billingDimension'] as const;

export type EntryField = (typeof ENTRY_FIELDS)[number];

/** The fields that a dimension fills: its own and those it is enriched with. */
const FILLED: Record<GroupByValue, readonly EntryField[]> = {
  workspace: ['workspace'],
  resource_type: ['resourceType'],
  resource_name: ['workspace', 'resourceType', 'resourceName'],
  resource_uuid: ['workspace', 'resourceType', 'resourceName', 'resourceUuid'],
  billing_dimension: ['resourceType', 'billingDimension'],
};

/**
 * The values of an entry's fields, in the order of `entryFields`; '' for an absent value (a missing uuid).
 * Includes enriched fields: the same name in two workspaces yields two entries (metrics.group-by.entries-distinct).
 */
export type GroupKey = readonly string[];

export function isGroupByValue(text: string): text is GroupByValue {
  return GROUP_BY_VALUES.some((value) => value === text);
}

/** The fields of each entry for a groupBy: those requested, and those enriched. */
export function entryFields(groupBy: readonly GroupByValue[]): EntryField[] {
  return ENTRY_FIELDS.filter((field) => groupBy.some((value) => FILLED[value].includes(field)));
}

/** Fields of a resource that do not depend on the meter. */
export type ResourceField = Exclude<EntryField, 'billingDimension'>;

export function isResourceField(field: EntryField): field is ResourceField {
  return field !== 'billingDimension';
}

export function fieldValue(field: ResourceField, resource: MeteredResource): string {
  switch (field) {
    case 'workspace':
      return resource.workspace;
    case 'resourceType':
      return resource.type;
    case 'resourceName':
      return resource.name;
    case 'resourceUuid':
      return resource.uuid ?? '';
  }
}

/** A string that sorts keys in code-unit order. The separator NUL, which no value contains, sorts first. */
export function keyText(key: GroupKey): string {
  return key.join('\0');
}
