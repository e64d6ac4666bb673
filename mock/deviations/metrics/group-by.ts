/** Deviations of groupBy: which lists are accepted, and which fields entries have. */
import { across, type Table } from '../table.ts';
import { groupByDimensions } from '../../../spec/values.ts';
import { all, always, any, not, whenQuery, type Condition } from '../conditions.ts';
import * as by from './conditions.ts';
import { dimensionsOf, groupedBy, groupedByOnly, has, inBuckets, lacks, laterPage, ungrouped } from './conditions.ts';
import {
  changeBody,
  changeEntries,
  changeSummaries,
  dropField,
  halve,
  refuse,
  regroup,
  setField,
  setMeta,
  type Entry,
} from './effects.ts';

const rank = (name: string): number => (groupByDimensions as readonly string[]).indexOf(name);
const isDimension = (name: string): boolean => rank(name) !== -1;
/** Another rule covers deviations of these. */
const isUnsupported = (name: string): boolean => name === 'label' || name === 'unit';

const dimensions = (name: string, holds: (names: string[]) => boolean): Condition =>
  whenQuery(name, (query) => holds(dimensionsOf(query)));
const distinct = (count: number): Condition =>
  dimensions(`with ${count} different dimensions`, (names) => new Set(names).size === count);
const listed = (count: number): Condition =>
  dimensions(`with ${count} dimensions listed`, ({ length }) => length === count);
const known = dimensions('with known dimensions', (names) => names.every(isDimension));
const fourKnown = all(listed(4), distinct(4), known);
const descending = dimensions(
  'for dimensions in reverse',
  (names) => names.length > 1 && rank(names.at(-1)!) < rank(names[0]!),
);
const unordered = dimensions('for unordered dimensions', (names) =>
  names.some((name, at) => at > 0 && rank(names[at - 1]!) >= rank(name)),
);
const oneKnown = dimensions('with a known dimension', (names) => names.some(isDimension));
const allDiffer = dimensions('if names differ', (names) => new Set(names).size === names.length);
const uuidNotName = all(groupedBy('resource_uuid'), not(groupedBy('resource_name')));
const outerEqual = dimensions('with a duplicate that is not adjacent', ([a, b, c]) => a === c && a !== b);
const billingDimensionFirst = dimensions(
  'if billing_dimension is listed first',
  ([first, ...others]) => first === 'billing_dimension' && others.length > 0,
);
const nameBeforeWorkspace = dimensions('if resource_name precedes workspace', (names) => {
  const [name, workspace] = [names.indexOf('resource_name'), names.indexOf('workspace')];
  return name !== -1 && workspace >= name;
});
const unknownThird = dimensions(
  'with an unknown third dimension',
  ({ length, 2: third = '' }) => length === 3 && !isUnsupported(third) && !isDimension(third),
);

const each = (edit: (name: string) => string) => regroup((names) => names.map(edit));
const filter = (isKept: (name: string) => boolean) => regroup((names) => names.filter(isKept));
const first = (count: number) => regroup((names) => names.slice(0, count));
const unique = regroup((names) => [...new Set(names)]);
const totalIsZero = by.response('without cost', ({ summary }) => summary.totalCost === 0);
const noFilter = lacks('workspace', 'resourceType', 'resourceName', 'resourceUuid', 'billingDimension');
const withoutCost = changeBody((body) => (body.data = []), 'empty');
const halveAll = changeBody((body) => (body.data = body.data.flatMap(halve)), 'split entry');
const dropLast = changeBody(({ data }) => void data.pop(), 'drop entry');
const raiseCosts = (factor: number) => changeSummaries((summary) => (summary.cost *= factor));
const rename = (name: 'resourceType' | 'billingDimension', from: string, to: string) =>
  changeEntries((entry) => {
    if (entry[name] === from) entry[name] = to as never;
  });
const asyncRequests = changeEntries((entry) => {
  if (entry.billingDimension === 'agent_async_requests_count') entry.resourceType = 'agent_async_requests';
});

export const groupByDeviations: Table = {
  'metrics.group-by.unknown-refused': {
    'ignores unknown dimensions': filter((name) => isDimension(name) || isUnsupported(name) || name === ''),
    'accepts dimensions in any letter case': each((name) =>
      isDimension(name.toLowerCase()) ? name.toLowerCase() : name,
    ),
    'ignores an unknown third dimension': [unknownThird, first(2)],
    'accepts field names as dimensions': each((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    'accepts resourceType alone as a dimension': [by.groupByIs('resourceType'), regroup(() => ['resource_type'])],
    'ignores names that every object inherits': filter((name) => isDimension(name) || !(name in {})),
    'accepts semicolons and bars instead of commas': regroup((names) => names.flatMap((name) => name.split(/[;|]/))),
    'accepts hyphens for underscores': each((name) => name.replaceAll('-', '_')),
    'accepts a list in brackets': each((name) => name.replace(/^\["?(.*?)"?\]$/, '$1')),
    'ignores unknown dimensions if a cursor is sent': [all(laterPage, oneKnown), filter(isDimension)],
  },
  'metrics.group-by.at-most-three': {
    ...across([fourKnown, all(distinct(5), known), all(has('limit'), distinct(4))], {
      'uses the first three': first(3),
    }),
    'does not count resource_uuid': [fourKnown, filter((name) => name !== 'resource_uuid')],
  },
  'metrics.group-by.no-duplicates': {
    ...across([always, listed(4), has('limit')], { 'ignores the second occurrence of a dimension': unique }),
    'detects duplicates only if they are adjacent': [all(listed(3), outerEqual), first(2)],
    'accepts one dimension three times': [all(listed(3), distinct(1)), first(1)],
    'accepts a duplicate with a space before it': [
      allDiffer,
      regroup((names) => [...new Set(names.map((name) => name.trim()))]),
    ],
  },
  'metrics.group-by.absent-one-entry': {
    ...across([ungrouped, all(ungrouped, has('resourceUuid'))], { 'splits the single entry in two': halveAll }),
    'announces a second page if nothing is grouped': [ungrouped, setMeta({ hasMore: true, nextCursor: 'Mg' })],
    'returns a cursor for windows longer than 31 days if nothing is grouped': [
      all(ungrouped, by.longerThan(31)),
      setMeta({ nextCursor: 'Mg' }),
    ],
    ...across(
      [
        all(inBuckets('monthly'), has('resourceType')),
        all(has('resourceName'), totalIsZero),
        all(noFilter, totalIsZero),
        all(by.requests('weekly'), lacks('limit')),
      ],
      { 'returns no entry if nothing is grouped': [ungrouped, withoutCost] },
    ),
  },
  // Rules that use all groupings are not tried against the second one.
  'metrics.group-by.every-set-accepted': across(
    [
      all(by.is('limit', '1'), groupedByOnly('workspace', 'resource_uuid', 'billing_dimension')),
      groupedByOnly('resource_type', 'resource_uuid'),
      all(by.requests('weekly'), listed(3)),
      all(by.byApiKey, listed(3)),
    ],
    { 'refuses requests': refuse() },
  ),
  'metrics.group-by.order-irrelevant': {
    // Not with workspace, whose order the rules of roles cover.
    'uses only the first dimension of an unordered list': [
      all(known, any(distinct(2), distinct(3)), allDiffer, unordered, not(groupedBy('workspace'))),
      first(1),
    ],
    ...across([billingDimensionFirst, all(listed(3), descending, laterPage)], { 'omits a group': dropLast }),
    ...across([has('resourceType'), by.requests('hourly')], {
      'returns higher costs for dimensions in reverse': [descending, raiseCosts(1.01)],
    }),
    'returns higher costs if resource_name precedes workspace': [nameBeforeWorkspace, raiseCosts(1.001)],
    'reports monthly if it picks the resolution for unordered dimensions': [
      all(descending, by.pickedResolution),
      changeBody((body) => (body.resolution = 'monthly')),
    ],
  },
  'metrics.group-by.requested-fields-filled': {
    'returns an empty resourceUuid': [groupedBy('resource_uuid'), setField('resourceUuid', '')],
    // Two groups of one name are then equal for the rules of sums, although their figures differ.
    ...across([all(listed(3), groupedBy('resource_name')), all(inBuckets('monthly'), by.dimensionCount(2, Infinity))], {
      'omits resourceName': dropField('resourceName'),
    }),
    // An empty billing dimension is not one of the twelve either.
    'returns an empty billingDimension with resource_type': [
      groupedByOnly('resource_type', 'billing_dimension'),
      setField('billingDimension', ''),
    ],
    'returns an empty workspace on later pages': [all(groupedBy('workspace'), laterPage), setField('workspace', '')],
    'omits resourceUuid with billing_dimension': [
      groupedBy('resource_uuid', 'billing_dimension'),
      dropField('resourceUuid'),
    ],
  },
  'metrics.group-by.enriched-fields-filled': {
    ...across([groupedByOnly('billing_dimension'), groupedByOnly('workspace', 'billing_dimension')], {
      'omits resourceType': dropField('resourceType'),
    }),
    ...across(
      [groupedByOnly('resource_uuid', 'billing_dimension'), all(groupedByOnly('resource_name'), has('resourceType'))],
      { 'omits workspace': dropField('workspace') },
    ),
    'returns an empty resourceName on later pages': [all(uuidNotName, laterPage), setField('resourceName', '')],
    'returns the workspace of another name with resource_name': [
      all(groupedBy('resource_name'), not(groupedBy('workspace'))),
      changeBody(({ data }) => {
        const workspaces = data.map(({ workspace }) => workspace);
        for (const entry of data) entry.workspace = workspaces.findLast((other) => other !== entry.workspace)!;
      }),
    ],
    'returns sandbox for volumes if only resource_name is grouped by': [
      groupedByOnly('resource_name'),
      rename('resourceType', 'volume', 'sandbox'),
    ],
    'returns the id of an instance as resourceName': [
      uuidNotName,
      changeEntries((entry) => entry.resourceUuid && (entry.resourceName = entry.resourceUuid)),
    ],
    'omits resourceName in hourly buckets': [all(inBuckets('hourly'), uuidNotName), dropField('resourceName')],
  },
  'metrics.group-by.other-fields-absent': {
    'returns an empty workspace with resource_type': [groupedByOnly('resource_type'), setField('workspace', '')],
    'returns a resourceType if nothing is grouped and resourceType is sent': [
      all(ungrouped, has('resourceType')),
      setField('resourceType', 'sandbox'),
    ],
    'returns the workspace that is sent as a filter': [
      all(has('workspace'), groupedByOnly('resource_type')),
      setField('workspace', 'demo'),
    ],
    'returns a resourceUuid with resource_name': [
      all(groupedBy('resource_name'), not(groupedBy('resource_uuid'))),
      setField('resourceUuid', '7d3c5a0e-6f0b-4c8e-9a51-0f0c6b6a2d11'),
    ],
    'returns null as resourceName with workspace': [
      groupedByOnly('workspace', 'billing_dimension'),
      setField('resourceName', null),
    ],
    'returns an empty resourceName for monthly if there is no other': [
      inBuckets('monthly'),
      changeEntries((entry) => (entry.resourceName ??= '')),
    ],
  },
  'metrics.group-by.entries-distinct': {
    ...across(
      [groupedByOnly('resource_type'), all(by.grouped, inBuckets('weekly')), all(by.grouped, by.pickedResolution)],
      {
        'splits the first group in two': [
          lacks('limit'),
          changeBody((body) => (body.data = firstHalved(body.data)), 'split entry'),
        ],
      },
    ),
    'splits the last group of three dimensions in two': [
      all(listed(3), lacks('limit')),
      changeBody((body) => {
        if (body.data.length < 100) body.data = firstHalved(body.data.toReversed()).toReversed();
      }, 'split entry'),
    ],
    'splits every instance of the last page in two': [
      all(groupedByOnly('resource_uuid'), lacks('limit')),
      changeBody((body) => {
        if (body.data.length !== 100) body.data = body.data.flatMap(halve);
      }, 'split entry'),
    ],
  },
  'metrics.group-by.dimension-belongs-to-type': {
    ...across([all(not(groupedBy('resource_type')), not(groupedBy('resource_uuid'))), inBuckets('monthly')], {
      'assigns asynchronous requests to a separate type': [groupedBy('billing_dimension'), asyncRequests],
    }),
    'returns function instead of mcp_server': [
      groupedBy('billing_dimension'),
      rename('resourceType', 'mcp_server', 'function'),
    ],
    'returns a billing dimension that is not documented': [
      groupedByOnly('workspace', 'billing_dimension'),
      rename('billingDimension', 'volume_storage_gbs', 'volume_snapshot_storage_gbs'),
    ],
  },
};

function firstHalved([entry, ...others]: Entry[]): Entry[] {
  return entry === undefined ? [] : [...halve(entry), ...others];
}
