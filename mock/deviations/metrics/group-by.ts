/** Faults of groupBy: which lists are taken, and which fields entries show. */
import { deviationsOf } from '../table.ts';
import { groupByDimensions } from '../../../spec/values.ts';
import type { Deviations } from '../deviation.ts';
import {
  answersInstead,
  asksInstead,
  DAY,
  dimensionsOf,
  isGrouped,
  lengthOf,
  refusesQuery,
  type Entry,
} from './faults.ts';
import { halved } from './figures.ts';

const isDimension = (name: string): boolean => (groupByDimensions as readonly string[]).includes(name);
/** Faults that concern them have a rule of their own. */
const isUnsupported = (name: string): boolean => name === 'label' || name === 'unit';

/** Takes the list for another one; none where nothing is left of it. */
function regroups(what: string, edit: (names: string[]) => string[]) {
  return asksInstead(what, (query) => {
    if (!isGrouped(query)) return;
    const names = edit(dimensionsOf(query));
    if (names.length === 0) query.delete('groupBy');
    else query.set('groupBy', names.join(','));
  });
}

/** Changes the entries of the groupings concerned. */
function entries(
  what: string,
  concerns: (set: string[], query: URLSearchParams) => boolean,
  edit: (entry: Entry) => void,
) {
  return answersInstead(what, (body, query) => {
    if (concerns(dimensionsOf(query), query)) for (const entry of body.data) edit(entry);
  });
}

const isSet = (set: string[], ...names: string[]): boolean => set.toSorted().join() === names.toSorted().join();

/** Two dimensions or more, the last one before the first in the order of the documents. */
function isTurnedRound(query: URLSearchParams): boolean {
  const names = dimensionsOf(query);
  return names.length > 1 && rank(names.at(-1)!) < rank(names[0]!);
}

export const groupByDeviations: Deviations = deviationsOf({
  'metrics.group-by.unknown-refused': {
    '': regroups('passes over unknown dimensions', (names) =>
      names.filter((name) => isDimension(name) || isUnsupported(name) || name === ''),
    ),
    'other-case': regroups('takes dimensions in any letter case', (names) =>
      names.map((name) => (isDimension(name.toLowerCase()) ? name.toLowerCase() : name)),
    ),
    third: regroups('passes over an unknown third dimension', (names) =>
      names.length === 3 && !isUnsupported(names[2]!) && !isDimension(names[2]!) ? names.slice(0, 2) : names,
    ),
    'field-names': regroups('takes the names of fields', (names) =>
      names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
    ),
    inherited: regroups('takes names that every object has', (names) =>
      names.filter((name) => isDimension(name) || !(name in {})),
    ),
    semicolons: regroups('takes semicolons and bars for commas', (names) =>
      names.flatMap((name) => name.split(/[;|]/)),
    ),
    brackets: regroups('takes a list in brackets', (names) =>
      names.map((name) => name.replace(/^\["?(.*?)"?\]$/, '$1')),
    ),
  },

  'metrics.group-by.at-most-three': {
    '': regroups('takes the first three of four dimensions', (names) =>
      names.length === 4 && new Set(names).size === 4 && names.every(isDimension) ? names.slice(0, 3) : names,
    ),
    five: regroups('takes the first three of all five dimensions', (names) =>
      new Set(names).size === 5 && names.every(isDimension) ? names.slice(0, 3) : names,
    ),
    'uuid-counts-not': regroups('does not count resource_uuid', (names) =>
      names.length === 4 && new Set(names).size === 4 && names.every(isDimension)
        ? names.filter((name, at) => name !== 'resource_uuid' && at < 4)
        : names,
    ),
    limited: asksInstead('takes the first three of four with a limit', (query) => {
      const names = dimensionsOf(query);
      if (query.has('limit') && new Set(names).size === 4) query.set('groupBy', names.slice(0, 3).join(','));
    }),
  },

  'metrics.group-by.no-duplicates': {
    '': regroups('takes a dimension that is named twice once', (names) => [...new Set(names)]),
    'not-adjacent': regroups('sees duplicates side by side only', (names) =>
      names.length === 3 && names[0] === names[2] && names[0] !== names[1] ? names.slice(0, 2) : names,
    ),
    'three-times': regroups('takes one dimension three times', (names) =>
      names.length === 3 && new Set(names).size === 1 ? names.slice(0, 1) : names,
    ),
    'among-four': regroups('takes four dimensions of which two are one', (names) =>
      names.length === 4 ? [...new Set(names)] : names,
    ),
    blanks: regroups('sees no duplicate where a blank is before it', (names) =>
      new Set(names).size === names.length ? [...new Set(names.map((name) => name.trim()))] : names,
    ),
  },

  'metrics.group-by.absent-one-entry': {
    '': answersInstead('gives two halves where nothing is grouped', (body, query) => {
      if (!isGrouped(query)) body.data = body.data.flatMap(halved);
    }),
    'has-more': answersInstead('has a second page where nothing is grouped', (body, query) => {
      if (!isGrouped(query)) body.meta = { hasMore: true, nextCursor: 'Mg' };
    }),
    monthly: answersInstead('gives no entry with monthly and a filter', (body, query) => {
      if (isGrouped(query) || body.resolution !== 'monthly' || !query.has('resourceType')) return;
      body.data = [];
    }),
    long: answersInstead('gives a cursor where nothing is grouped over more than a month', ({ meta }, query) => {
      if (!isGrouped(query) && lengthOf(query) > 31 * DAY) meta.nextCursor = 'Mg';
    }),
    'one-instance': answersInstead(
      'gives two halves where nothing is grouped and resourceUuid given',
      (body, query) => {
        if (!isGrouped(query) && query.has('resourceUuid')) body.data = body.data.flatMap(halved);
      },
    ),
  },

  'metrics.group-by.every-set-accepted': {
    '': refusesQuery(
      'refuses workspace, resource_uuid and billing_dimension in pages of one',
      400,
      (query) =>
        query.get('limit') === '1' && isSet(dimensionsOf(query), 'workspace', 'resource_uuid', 'billing_dimension'),
    ),
    // Every rule that walks through all groupings meets this one, and is then not tried.
    'one-set': refusesQuery('refuses resource_type with resource_uuid', 400, (query) =>
      isSet(dimensionsOf(query), 'resource_type', 'resource_uuid'),
    ),
  },

  'metrics.group-by.order-irrelevant': {
    // Not with workspace, whose order the rules of roles ask about.
    '': regroups('takes only the first dimension of a list out of order', (names) => {
      const isOrdered = names.every((name, at) => at === 0 || rank(names[at - 1]!) < rank(name));
      const isTaken = names.every(isDimension) && new Set(names).size === names.length && names.length < 4;
      return isTaken && !isOrdered && !names.includes('workspace') ? names.slice(0, 1) : names;
    }),
    'first-named': answersInstead('leaves out a group where billing_dimension is named first', (body, query) => {
      const [first, ...others] = dimensionsOf(query);
      if (first === 'billing_dimension' && others.length > 0) body.data.pop();
    }),
    'later-pages': answersInstead(
      'leaves out a group of later pages where three dimensions are named backwards',
      (body, query) => {
        const names = dimensionsOf(query);
        if (names.length === 3 && rank(names[0]!) > rank(names[2]!) && query.has('cursor')) body.data.pop();
      },
    ),
    figures: answersInstead('charges more where resource_name comes before workspace', (body, query) => {
      const names = dimensionsOf(query);
      const [name, workspace] = [names.indexOf('resource_name'), names.indexOf('workspace')];
      if (name === -1 || workspace < name) return;
      for (const { summary } of body.data) summary.cost *= 1.001;
    }),
    filtered: answersInstead(
      'charges more for lists that are not sorted beside a filter for a resource type',
      (body, query) => {
        if (!isTurnedRound(query) || !query.has('resourceType')) return;
        for (const { summary } of body.data) summary.cost *= 1.01;
      },
    ),
    hourly: answersInstead('charges more for lists that are not sorted by the hour', (body, query) => {
      if (!isTurnedRound(query) || query.get('resolution') !== 'hourly') return;
      for (const { summary } of body.data) summary.cost *= 1.01;
    }),
    picked: answersInstead(
      'says monthly where it picks the resolution for a list that is not sorted',
      (body, query) => {
        if (isTurnedRound(query) && !query.has('resolution')) body.resolution = 'monthly';
      },
    ),
  },

  'metrics.group-by.requested-fields-filled': {
    '': entries(
      'never fills resourceUuid',
      (set) => set.includes('resource_uuid'),
      (entry) => {
        entry.resourceUuid = '';
      },
    ),
    // Two groups of one name are then one to the rules of sums: their figures differ as well.
    third: entries(
      'leaves resourceName out where it is one of three',
      (set) => set.length === 3 && set.includes('resource_name'),
      (entry) => {
        delete entry.resourceName;
      },
    ),
    // An empty one is none of the twelve either.
    'billing-dimension': entries(
      'leaves billingDimension empty beside resource_type',
      (set) => isSet(set, 'resource_type', 'billing_dimension'),
      (entry) => {
        entry.billingDimension = '' as never;
      },
    ),
    'later-pages': entries(
      'leaves workspace empty on later pages',
      (set, query) => set.includes('workspace') && query.has('cursor'),
      (entry) => {
        entry.workspace = '';
      },
    ),
    'uuid-with-dimension': entries(
      'leaves resourceUuid out beside billing_dimension',
      (set) => set.includes('resource_uuid') && set.includes('billing_dimension'),
      (entry) => {
        delete entry.resourceUuid;
      },
    ),
    monthly: answersInstead(
      'shows no resourceName with monthly where something else is grouped by as well',
      ({ data, resolution }, query) => {
        if (resolution === 'monthly' && dimensionsOf(query).length > 1)
          for (const entry of data) delete entry.resourceName;
      },
    ),
  },

  'metrics.group-by.enriched-fields-filled': {
    '': entries(
      'shows no resourceType beside billing_dimension alone',
      (set) => isSet(set, 'billing_dimension'),
      (entry) => {
        delete entry.resourceType;
      },
    ),
    'workspace-of-uuid': entries(
      'shows no workspace beside resource_uuid and billing_dimension',
      (set) => isSet(set, 'resource_uuid', 'billing_dimension'),
      (entry) => {
        delete entry.workspace;
      },
    ),
    'name-of-uuid': entries(
      'leaves resourceName empty beside resource_uuid in later pages',
      (set, query) => set.includes('resource_uuid') && !set.includes('resource_name') && query.has('cursor'),
      (entry) => {
        entry.resourceName = '';
      },
    ),
    'type-in-combination': entries(
      'shows no resourceType beside workspace and billing_dimension',
      (set) => isSet(set, 'workspace', 'billing_dimension'),
      (entry) => {
        delete entry.resourceType;
      },
    ),
    'workspace-of-another': answersInstead(
      'shows the workspace of another name beside resource_name',
      ({ data }, query) => {
        const set = dimensionsOf(query);
        if (!set.includes('resource_name') || set.includes('workspace')) return;
        const workspaces = data.map(({ workspace }) => workspace);
        for (const entry of data) entry.workspace = workspaces.findLast((each) => each !== entry.workspace)!;
      },
    ),
    'type-of-another': entries(
      'takes volumes for sandboxes where only resource_name is grouped by',
      (set) => isSet(set, 'resource_name'),
      (entry) => {
        if (entry.resourceType === 'volume') entry.resourceType = 'sandbox';
      },
    ),
    'id-for-name': entries(
      'shows the id of an instance as its resourceName',
      (set) => set.includes('resource_uuid') && !set.includes('resource_name'),
      (entry) => {
        if (entry.resourceUuid) entry.resourceName = entry.resourceUuid;
      },
    ),
    hourly: answersInstead('shows no resourceName beside resource_uuid with hourly', ({ data, resolution }, query) => {
      const set = dimensionsOf(query);
      if (resolution !== 'hourly' || !set.includes('resource_uuid') || set.includes('resource_name')) return;
      for (const entry of data) delete entry.resourceName;
    }),
  },

  'metrics.group-by.other-fields-absent': {
    '': entries(
      'shows an empty workspace beside resource_type',
      (set) => isSet(set, 'resource_type'),
      (entry) => {
        entry.workspace = '';
      },
    ),
    ungrouped: entries(
      'names the resource type of the single entry where one filters by it',
      (set, query) => set.length === 0 && query.has('resourceType'),
      (entry) => {
        entry.resourceType = 'sandbox';
      },
    ),
    uuid: entries(
      'shows resourceUuid beside resource_name',
      (set) => set.includes('resource_name') && !set.includes('resource_uuid'),
      (entry) => {
        entry.resourceUuid = '7d3c5a0e-6f0b-4c8e-9a51-0f0c6b6a2d11';
      },
    ),
    null: entries(
      'shows a null for resourceName beside workspace',
      (set) => isSet(set, 'workspace', 'billing_dimension'),
      (entry) => {
        entry.resourceName = null as never;
      },
    ),
    monthly: answersInstead('shows an empty resourceName with monthly where no other is', ({ data, resolution }) => {
      if (resolution === 'monthly') for (const entry of data) entry.resourceName ??= '';
    }),
  },

  'metrics.group-by.entries-distinct': {
    '': answersInstead('gives the first of the resource types in two halves', (body, query) => {
      if (isSet(dimensionsOf(query), 'resource_type') && !query.has('limit')) body.data = firstHalved(body.data);
    }),
    three: answersInstead('gives the last of the groups by three dimensions in two halves', (body, query) => {
      const isConcerned = dimensionsOf(query).length === 3 && !query.has('limit') && body.data.length < 100;
      if (isConcerned) body.data = firstHalved(body.data.toReversed()).toReversed();
    }),
    uuid: answersInstead('gives every instance of the last page in two halves', (body, query) => {
      if (!isSet(dimensionsOf(query), 'resource_uuid') || query.has('limit') || body.data.length === 100) return;
      body.data = body.data.flatMap(halved);
    }),
    weekly: answersInstead('gives the first group in two halves with weekly', (body, query) => {
      if (isGrouped(query) && body.resolution === 'weekly' && !query.has('limit')) body.data = firstHalved(body.data);
    }),
    picked: answersInstead('gives the first group in two halves where the resolution is picked', (body, query) => {
      const isConcerned = isGrouped(query) && !query.has('resolution') && !query.has('limit');
      if (isConcerned) body.data = firstHalved(body.data);
    }),
  },

  'metrics.group-by.dimension-belongs-to-type': {
    '': entries(
      'has asynchronous requests belong to a type of their own, where neither types nor instances are asked for',
      (set) => set.includes('billing_dimension') && !set.includes('resource_type') && !set.includes('resource_uuid'),
      (entry) => {
        if (entry.billingDimension === 'agent_async_requests_count') entry.resourceType = 'agent_async_requests';
      },
    ),
    functions: entries(
      'calls MCP servers functions',
      (set) => set.includes('billing_dimension'),
      (entry) => {
        if (entry.resourceType === 'mcp_server') entry.resourceType = 'function';
      },
    ),
    monthly: answersInstead(
      'has asynchronous requests belong to a type of their own with monthly',
      ({ data, resolution }) => {
        const others = data.filter(({ billingDimension }) => billingDimension === 'agent_async_requests_count');
        if (resolution === 'monthly') for (const entry of others) entry.resourceType = 'agent_async_requests';
      },
    ),
    unknown: entries(
      'names a billing dimension that is not in the table',
      (set) => isSet(set, 'workspace', 'billing_dimension'),
      (entry) => {
        if (entry.billingDimension === 'volume_storage_gbs')
          entry.billingDimension = 'volume_snapshot_storage_gbs' as never;
      },
    ),
  },
});

function rank(name: string): number {
  return (groupByDimensions as readonly string[]).indexOf(name);
}

function firstHalved([first, ...others]: Entry[]): Entry[] {
  return first === undefined ? [] : [...halved(first), ...others];
}
