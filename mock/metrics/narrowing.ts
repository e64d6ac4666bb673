/** What the filters of a query select: whole groups as far as possible, because an account may have a million stretches. */
import { createGrouping, type Group } from './groupings.ts';
import { entryFields, GROUP_BY_VALUES, type GroupByValue } from './groups.ts';
import { groupsOf, resourcesNamed, type MeterIndex } from './meter-index.ts';
import type { Filters } from './parameters.ts';
import type { Stretch } from './stretches.ts';

/** Groups that contain all that the filters select. */
export interface WantedGroups {
  /** In canonical order. */
  readonly groups: readonly Group[];
  /** The stretches of a group that the filters select. */
  readonly narrow: (stretches: readonly Stretch[]) => readonly Stretch[];
}

/**
 * Finds resources by name or uuid, whose groups are made for each query; other filters select whole groups, unless there is a group
 * for each resource anyway.
 */
export function wantedGroups(index: MeterIndex, groupBy: readonly GroupByValue[], filters: Filters): WantedGroups {
  const fields = entryFields(groupBy);
  const named = resourcesNamed(index, filters);
  if (named !== undefined) return { groups: createGrouping(named, fields).groups, narrow: narrowing(filters) };
  if (fields.includes('resourceName')) return { groups: groupsOf(index, groupBy), narrow: narrowing(filters) };
  const finer = GROUP_BY_VALUES.filter((value) => groupBy.includes(value) || isFiltered(value, filters));
  const finerFields = entryFields(finer);
  const isOfEntry = finerFields.map((field) => fields.includes(field));
  // A filter leaves one value of its field, and a billing dimension is of one resource type: each group is one of the finer ones.
  const groups = groupsOf(index, finer)
    .filter(({ key }) => finerFields.every((field, at) => (filters[field] ?? key[at]) === key[at]))
    .map(({ key, stretches }) => ({ key: key.filter((_, at) => isOfEntry[at]), stretches }));
  return { groups, narrow: (stretches) => stretches };
}

function isFiltered(value: GroupByValue, { workspace, resourceType, billingDimension }: Filters): boolean {
  if (value === 'workspace') return workspace !== undefined;
  if (value === 'resource_type') return resourceType !== undefined;
  return value === 'billing_dimension' && billingDimension !== undefined;
}

/** Keeps the stretches that match all filters. */
function narrowing(filters: Filters): WantedGroups['narrow'] {
  if (Object.keys(filters).length === 0) return (stretches) => stretches;
  const { workspace, resourceType, resourceName, resourceUuid, billingDimension } = filters;
  const isWanted = ({ resource, dimension }: Stretch): boolean =>
    (workspace ?? resource.workspace) === resource.workspace &&
    (resourceType ?? resource.type) === resource.type &&
    (resourceName ?? resource.name) === resource.name &&
    (resourceUuid ?? resource.uuid) === resource.uuid &&
    (billingDimension ?? dimension) === dimension;
  return (stretches) => stretches.filter(isWanted);
}

export interface Part {
  /** '' if the parts are not those of billing dimensions. */
  readonly dimension: string;
  readonly stretches: readonly Stretch[];
}

/** The stretches that match all filters; by billing dimension, if requested. */
export function wantedParts(index: MeterIndex, filters: Filters, isByDimension: boolean): Part[] {
  const { groups, narrow } = wantedGroups(index, isByDimension ? ['billing_dimension'] : [], filters);
  return groups.map(({ key, stretches }) => ({ dimension: key.at(-1) ?? '', stretches: narrow(stretches) }));
}
