/** Deviations of groupBy: which lists are accepted, and which fields entries have. */
import type { Table } from '../table.ts';
import { groupByDimensions } from '../../../spec/values.ts';
import { all, not, whenQuery, type Condition } from '../conditions.ts';
import * as the from './conditions.ts';
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
  dimensions(`${count} different dimensions`, (names) => new Set(names).size === count);
const listed = (count: number): Condition => dimensions(`${count} dimensions listed`, ({ length }) => length === count);
const known = dimensions('known dimensions', (names) => names.every(isDimension));
const fourKnown = all(listed(4), distinct(4), known);
const descending = dimensions(
  'dimensions out of order',
  (names) => names.length > 1 && rank(names.at(-1)!) < rank(names[0]!),
);
const unordered = dimensions('unordered dimensions', (names) =>
  names.some((name, at) => at > 0 && rank(names[at - 1]!) >= rank(name)),
);
const outerEqual = dimensions('a duplicate that is not adjacent', ([a, b, c]) => a === c && a !== b);
const billingDimensionFirst = dimensions(
  'billing_dimension before others',
  ([first, ...others]) => first === 'billing_dimension' && others.length > 0,
);
const nameBeforeWorkspace = dimensions('resource_name before workspace', (names) => {
  const [name, workspace] = [names.indexOf('resource_name'), names.indexOf('workspace')];
  return name !== -1 && workspace >= name;
});
const unknownThird = dimensions(
  'an unknown third dimension',
  ({ length, 2: third = '' }) => length === 3 && !isUnsupported(third) && !isDimension(third),
);

const each = (edit: (name: string) => string) => regroup((names) => names.map(edit));
const filter = (isKept: (name: string) => boolean) => regroup((names) => names.filter(isKept));
const first = (count: number) => regroup((names) => names.slice(0, count));
const unique = regroup((names) => [...new Set(names)]);
const halveAll = changeBody((body) => (body.data = body.data.flatMap(halve)), 'split entry');
const halveFirst = changeBody((body) => (body.data = firstHalved(body.data)), 'split entry');
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
    'accepts resourceType alone as a dimension': [the.groupByIs('resourceType'), regroup(() => ['resource_type'])],
    'ignores names that every object inherits': filter((name) => isDimension(name) || !(name in {})),
    'accepts semicolons and bars instead of commas': regroup((names) => names.flatMap((name) => name.split(/[;|]/))),
    'accepts hyphens for underscores': each((name) => name.replaceAll('-', '_')),
    'accepts a list in brackets': each((name) => name.replace(/^\["?(.*?)"?\]$/, '$1')),
    'ignores unknown dimensions if a cursor is sent': [
      all(
        laterPage,
        dimensions('a known dimension', (names) => names.some(isDimension)),
      ),
      filter(isDimension),
    ],
  },
  'metrics.group-by.at-most-three': {
    'uses the first three of four dimensions': [fourKnown, first(3)],
    'uses the first three of all five dimensions': [all(distinct(5), known), first(3)],
    'does not count resource_uuid': [fourKnown, filter((name) => name !== 'resource_uuid')],
    'uses the first three of four dimensions if a limit is sent': [all(has('limit'), distinct(4)), first(3)],
  },
  'metrics.group-by.no-duplicates': {
    'ignores the second occurrence of a dimension': unique,
    'detects duplicates only if they are adjacent': [all(listed(3), outerEqual), first(2)],
    'accepts one dimension three times': [all(listed(3), distinct(1)), first(1)],
    'accepts four dimensions if two are equal': [listed(4), unique],
    'ignores duplicates if a limit is sent': [has('limit'), unique],
    'accepts a duplicate with a space before it': [
      dimensions('names that differ as sent', (names) => new Set(names).size === names.length),
      regroup((names) => [...new Set(names.map((name) => name.trim()))]),
    ],
  },
  'metrics.group-by.absent-one-entry': {
    'splits the single entry in two if nothing is grouped': [ungrouped, halveAll],
    'announces a second page if nothing is grouped': [ungrouped, setMeta({ hasMore: true, nextCursor: 'Mg' })],
    'returns no entry for monthly with resourceType if nothing is grouped': [
      all(ungrouped, inBuckets('monthly'), has('resourceType')),
      changeBody((body) => (body.data = [])),
    ],
    'returns a cursor for windows longer than 31 days if nothing is grouped': [
      all(ungrouped, the.longerThan(31)),
      setMeta({ nextCursor: 'Mg' }),
    ],
    'splits the single entry in two if resourceUuid is sent and nothing is grouped': [
      all(ungrouped, has('resourceUuid')),
      halveAll,
    ],
    'returns no entry if a resourceName matches nothing and nothing is grouped': [
      all(ungrouped, has('resourceName')),
      changeBody((body) => {
        if (body.summary.totalCost === 0) body.data = [];
      }, 'empty'),
    ],
    'returns no entry for a window without activity if nothing is filtered or grouped': [
      all(ungrouped, lacks('workspace', 'resourceType', 'resourceName', 'resourceUuid', 'billingDimension')),
      changeBody((body) => {
        if (body.summary.totalCost === 0) body.data = [];
      }, 'empty'),
    ],
    'returns no entry for weekly if nothing is grouped': [
      all(ungrouped, the.requests('weekly'), lacks('limit')),
      changeBody((body) => (body.data = [])),
    ],
  },
  'metrics.group-by.every-set-accepted': {
    'refuses workspace, resource_uuid and billing_dimension with limit=1': [
      all(the.is('limit', '1'), groupedByOnly('workspace', 'resource_uuid', 'billing_dimension')),
      refuse(),
    ],
    // Rules that use all groupings are not tried against this one.
    'refuses resource_type with resource_uuid': [groupedByOnly('resource_type', 'resource_uuid'), refuse()],
    'refuses three dimensions for weekly': [all(the.requests('weekly'), listed(3)), refuse()],
    'refuses three dimensions from API keys': [all(the.byApiKey, listed(3)), refuse()],
  },
  'metrics.group-by.order-irrelevant': {
    // Not with workspace, whose order the rules of roles cover.
    'uses only the first dimension of an unordered list': [
      all(
        known,
        dimensions(
          'up to three different dimensions',
          (names) => new Set(names).size === names.length && names.length < 4,
        ),
        unordered,
        not(groupedBy('workspace')),
      ),
      first(1),
    ],
    'omits a group if billing_dimension is listed first': [billingDimensionFirst, dropLast],
    'omits a group on later pages if three dimensions are listed in reverse': [
      all(listed(3), descending, laterPage),
      dropLast,
    ],
    'returns higher costs if resource_name precedes workspace': [nameBeforeWorkspace, raiseCosts(1.001)],
    'returns higher costs for unordered dimensions if resourceType is sent': [
      all(descending, has('resourceType')),
      raiseCosts(1.01),
    ],
    'returns higher hourly costs for unordered dimensions': [all(descending, the.requests('hourly')), raiseCosts(1.01)],
    'reports monthly if it picks the resolution for unordered dimensions': [
      all(descending, the.pickedResolution),
      changeBody((body) => (body.resolution = 'monthly')),
    ],
  },
  'metrics.group-by.requested-fields-filled': {
    'returns an empty resourceUuid': [groupedBy('resource_uuid'), setField('resourceUuid', '')],
    // Two groups of one name are then equal for the rules of sums, although their figures differ.
    'omits resourceName if it is one of three dimensions': [
      all(listed(3), groupedBy('resource_name')),
      dropField('resourceName'),
    ],
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
    'omits resourceName from monthly groups of several dimensions': [
      all(inBuckets('monthly'), the.dimensionCount(2, Infinity)),
      dropField('resourceName'),
    ],
  },
  'metrics.group-by.enriched-fields-filled': {
    'omits resourceType if only billing_dimension is grouped by': [
      groupedByOnly('billing_dimension'),
      dropField('resourceType'),
    ],
    'omits workspace with resource_uuid and billing_dimension': [
      groupedByOnly('resource_uuid', 'billing_dimension'),
      dropField('workspace'),
    ],
    'omits workspace with resource_name if resourceType is sent': [
      all(groupedByOnly('resource_name'), has('resourceType')),
      dropField('workspace'),
    ],
    'returns an empty resourceName with resource_uuid on later pages': [
      all(groupedBy('resource_uuid'), not(groupedBy('resource_name')), laterPage),
      setField('resourceName', ''),
    ],
    'omits resourceType with workspace and billing_dimension': [
      groupedByOnly('workspace', 'billing_dimension'),
      dropField('resourceType'),
    ],
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
      all(groupedBy('resource_uuid'), not(groupedBy('resource_name'))),
      changeEntries((entry) => {
        if (entry.resourceUuid) entry.resourceName = entry.resourceUuid;
      }),
    ],
    'omits resourceName from hourly groups by resource_uuid': [
      all(inBuckets('hourly'), groupedBy('resource_uuid'), not(groupedBy('resource_name'))),
      dropField('resourceName'),
    ],
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
    'splits the first resource type in two': [all(groupedByOnly('resource_type'), lacks('limit')), halveFirst],
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
    'splits the first weekly group in two': [all(the.grouped, inBuckets('weekly'), lacks('limit')), halveFirst],
    'splits the first group in two if it picks the resolution': [
      all(the.grouped, the.pickedResolution, lacks('limit')),
      halveFirst,
    ],
  },
  'metrics.group-by.dimension-belongs-to-type': {
    'assigns asynchronous requests to a separate type if neither types nor instances are grouped by': [
      all(groupedBy('billing_dimension'), not(groupedBy('resource_type')), not(groupedBy('resource_uuid'))),
      asyncRequests,
    ],
    'returns function instead of mcp_server': [
      groupedBy('billing_dimension'),
      rename('resourceType', 'mcp_server', 'function'),
    ],
    'assigns asynchronous requests to a separate type for monthly': [inBuckets('monthly'), asyncRequests],
    'returns a billing dimension that is not documented': [
      groupedByOnly('workspace', 'billing_dimension'),
      rename('billingDimension', 'volume_storage_gbs', 'volume_snapshot_storage_gbs'),
    ],
  },
};

function firstHalved([entry, ...others]: Entry[]): Entry[] {
  return entry === undefined ? [] : [...halve(entry), ...others];
}
