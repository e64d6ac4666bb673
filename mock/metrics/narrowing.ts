/** What the filters of a query select: whole groups as far as possible, because an account may have a million stretches. */
import { entryFields, GROUP_BY_VALUES, type GroupByValue } from './groups.ts';
import { groupsOf, type MeterIndex } from './meter-index.ts';
import type { Filters } from './parameters.ts';
import type { Stretch } from './stretches.ts';

type Narrow = (stretches: readonly Stretch[]) => readonly Stretch[];

/** Keeps the stretches that match all filters. */
export function narrowing(filters: Filters): Narrow {
  if (Object.keys(filters).length === 0) return (stretches) => stretches;
  const { workspace, resourceType, resourceName, resourceUuid, billingDimension } = filters;
  const isWanted = ({ resource, dimension }: Stretch): boolean =>
    (workspace ?? resource.workspace) === resource.workspace &&
    (resourceType ?? resource.type) === resource.type &&
    (resourceName ?? resource.name) === resource.name &&
    (resourceUuid ?? resource.uuid) === resource.uuid &&
    (billingDimension ?? dimension) === dimension;
  return (stretches) => {
    // A loop, because `filter` takes longer, and there may be a million stretches.
    const wanted: Stretch[] = [];
    for (const stretch of stretches) if (isWanted(stretch)) wanted.push(stretch);
    return wanted;
  };
}

export interface Part {
  /** '' if the parts are not those of billing dimensions. */
  readonly dimension: string;
  readonly stretches: readonly Stretch[];
}

/** The stretches that match all filters; by billing dimension, in any number of parts, if requested. */
export function wantedParts(index: MeterIndex, filters: Filters, isByDimension: boolean): Part[] {
  const { resourceName, resourceUuid, ...coarse } = filters;
  const groupBy = GROUP_BY_VALUES.filter(
    (value) => FILTER_OF[value]?.(coarse) !== undefined || (isByDimension && value === 'billing_dimension'),
  );
  const fields = entryFields(groupBy);
  const narrow = narrowing({
    ...(resourceName !== undefined && { resourceName }),
    ...(resourceUuid !== undefined && { resourceUuid }),
  });
  const dimensionAt = isByDimension ? fields.indexOf('billingDimension') : -1;
  return groupsOf(index, groupBy)
    .filter(({ key }) => fields.every((field, at) => (filters[field] ?? key[at]) === key[at]))
    .map(({ key, stretches }) => ({ dimension: key[dimensionAt] ?? '', stretches: narrow(stretches) }));
}

/** The filters by which there are few groups. */
const FILTER_OF: Partial<Record<GroupByValue, (filters: Filters) => string | undefined>> = {
  workspace: ({ workspace }) => workspace,
  resource_type: ({ resourceType }) => resourceType,
  billing_dimension: ({ billingDimension }) => billingDimension,
};

/** The stretches that match all filters. */
export function wantedStretches(index: MeterIndex, filters: Filters): readonly Stretch[] {
  const [first, ...others] = wantedParts(index, filters, false);
  if (first === undefined) return [];
  if (others.length === 0) return first.stretches;
  const all = [...first.stretches];
  for (const { stretches } of others) for (const stretch of stretches) all.push(stretch);
  return all;
}
