/** metrics.group-by.*: the fields of the entries of a grouping. */
import { requirement } from '../../spec/requirements/index.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { judgedOn } from '../engine/traffic.ts';
import { needAccepted } from '../kit/metrics/causes.ts';
import { grouped } from '../kit/metrics/request.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { seenWalk } from '../kit/metrics/seen-metrics.ts';
import type { SeenMetrics } from '../kit/metrics/seen-metrics.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { differentGroupings } from './different-groupings.ts';
import { enrichmentOf, fields, filledFields, finestGrouping, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { metricsTraffic } from './metrics-traffic.ts';
import { fewGroups } from './related-queries.ts';
import { knownEnrichments, wrongEnrichments } from './enriched-values.ts';
import { entryMismatches, formatValue } from './entry-mismatches.ts';
import type { Difference } from '../target/violation.ts';
import { meteredDays } from './metered-days.ts';
import { entriesOf, fetchPages, sharedPages } from './pages.ts';
import type { Page } from './pages.ts';

/** A valid query with few buckets that contain cost. */
async function validQuery(run: Run): Promise<MetricsQuery> {
  const query = { ...(await meteredDays(run, 2)), resolution: 'daily' };
  await needAccepted(run, { ...query, groupBy: 'resource_type' });
  return query;
}

const onTraffic = judgedOn(metricsTraffic, 'a grouped response');

function emptyFields(entry: Entry, expected: readonly Field[]): Difference[] {
  return expected
    .filter((field) => valueOf(entry, field) === '')
    .map((field) => ({ expected: `a non-empty ${field}`, actual: formatValue(entry[field]) }));
}

const emptyRequested = (entry: Entry, set: readonly Dimension[]): Difference[] =>
  emptyFields(
    entry,
    requestedFields(set).filter((field) => field !== 'resourceUuid'),
  );

export async function checkRequestedFieldsFilled(run: Run): Promise<void> {
  await onTraffic(run);
  await checkUuids(run);
}

/**
 * resourceUuid is best effort: some entry must have one if all six types have cost, and every grouping by it must
 * contain the uuids with cost. Resources without one may be omitted.
 */
async function checkUuids(run: Run): Promise<void> {
  const query = await validQuery(run);
  const byType = entriesOf(await fetchPages(run, { ...query, groupBy: 'resource_type' }));
  const types = new Set(byType.map((entry) => valueOf(entry, 'resourceType')));
  const allTypes = new Set(Object.values(table).map(({ resourceType }) => resourceType));
  const all = await uuidsGroupedBy(run, query, ['resource_uuid']);
  if ([...allTypes].every((type) => types.has(type))) {
    const none = { expected: 'a resourceUuid in some entry', actual: 'none in any', ...all.evidence };
    run.check(all.uuids.size > 0 ? [] : [none]);
  }
  const sets = differentGroupings(run).filter((set) => set.includes('resource_uuid') && set.length > 1);
  await run.forEach(sets, async (set) => {
    const slice = await fewGroups(run, query, set);
    const [alone, found] = [await uuidsGroupedBy(run, slice, ['resource_uuid']), await uuidsGroupedBy(run, slice, set)];
    const missing = [...alone.metered].find((uuid) => !found.uuids.has(uuid));
    const expected = `resourceUuid ${missing} with groupBy=${set.join(',')}, as with resource_uuid alone`;
    return missing === undefined ? [] : [{ expected, actual: 'in no entry', ...found.evidence }];
  });
}

interface Uuids {
  readonly uuids: ReadonlySet<string>;
  /** Uuids with a cost above 0. */
  readonly metered: ReadonlySet<string>;
  /** All pages; the last one is the reported exchange. */
  readonly evidence: Pick<Mismatch, 'exchange' | 'before'>;
}

async function uuidsGroupedBy(run: Run, query: MetricsQuery, set: readonly Dimension[]): Promise<Uuids> {
  const pages = await sharedPages(run, { ...query, groupBy: set.join(',') });
  const entries = entriesOf(pages).filter((entry) => valueOf(entry, 'resourceUuid') !== '');
  const uuidsOf = (pageGroup: readonly Entry[]) => new Set(pageGroup.map((entry) => valueOf(entry, 'resourceUuid')));
  const before = pages.map(({ exchange }) => exchange);
  const exchange = run.need(before.pop(), 'a page');
  const metered = uuidsOf(entries.filter(({ summary }) => summary.cost > 0));
  return { uuids: uuidsOf(entries), metered, evidence: { before, exchange } };
}

/** The values that enrich an entry are those of its other groupings. */
export async function checkEnrichedFieldsFilled(run: Run): Promise<void> {
  await onTraffic(run);
  const query = await validQuery(run);
  const known = await knownEnrichments(run, query);
  await run.forEach(differentGroupings(run), async (set) =>
    entryMismatches(await sharedPages(run, grouped(await fewGroups(run, query, set), set)), (entry) =>
      wrongEnrichments(entry, set, known),
    ),
  );
}

function emptyEnriched(entry: Entry, set: readonly Dimension[], visible: readonly Field[]): Difference[] {
  // A resource without a uuid cannot be enriched by it.
  const certain = set.filter((dimension) => dimension !== 'resource_uuid' || valueOf(entry, 'resourceUuid') !== '');
  const enriched = new Set(certain.flatMap((dimension) => enrichmentOf[dimension]));
  const expected = visible.filter((field) => enriched.has(field) && !requestedFields(set).includes(field));
  return emptyFields(entry, expected);
}

/** Fields that are neither requested nor enriched. */
function unexpectedFields(entry: Entry, set: readonly Dimension[]): Difference[] {
  return fields
    .filter((field) => field in entry && !filledFields(set).includes(field))
    .map((field) => ({ expected: `no ${field}`, actual: formatValue(entry[field]) }));
}

export async function checkEntriesDistinct(run: Run): Promise<void> {
  const query = await validQuery(run);
  await run.forEach(differentGroupings(run), async (set) => {
    const pages = await sharedPages(run, grouped(await fewGroups(run, query, set), set));
    // metrics.pagination.every-group-once compares pages; only if every page has one entry are they compared here.
    const pageGroups = pages.some(({ metrics: response }) => response.data.length > 1)
      ? pages.map((page) => [page])
      : [pages];
    return pageGroups.flatMap((pageGroup) => repeatedEntries(pageGroup, set));
  });
  await onTraffic(run);
  const finest = await sharedPages(run, grouped(query, finestGrouping(run)));
  run.need(entriesOf(finest).length > 1, 'a grouping with several groups');
}

function repeatedEntries(pages: readonly Page[], set: readonly Dimension[]): Mismatch[] {
  const keys = new Set<string>();
  return entryMismatches(pages, (entry) => {
    const key = keyOf(entry, filledFields(set));
    const before = keys.has(key);
    keys.add(key);
    // Resources without a uuid need not be distinguishable.
    const hasNoUuid = set.includes('resource_uuid') && valueOf(entry, 'resourceUuid') === '';
    return before && !hasNoUuid ? [{ expected: `one entry of groupBy=${set.join(',')}`, actual: 'a second one' }] : [];
  });
}

const { table } = requirement('metrics.group-by.dimension-belongs-to-type').values;

function wrongTypes(entry: Entry, set: readonly Dimension[]): Difference[] {
  if (!set.includes('billing_dimension')) return [];
  const dimension = valueOf(entry, 'billingDimension');
  const type = valueOf(entry, 'resourceType');
  if (!Object.hasOwn(table, dimension))
    return [{ expected: 'a documented billing dimension', actual: formatValue(dimension) }];
  const expected = table[dimension as keyof typeof table].resourceType;
  // metrics.group-by.enriched-fields-filled checks whether it is present.
  return type === '' || type === expected
    ? []
    : [{ expected: `resourceType ${expected} for ${dimension}`, actual: type }];
}

type JudgePage = (page: SeenMetrics, seen: Seen) => Judged;

/** Judges every entry of a page by the dimensions of its query. */
const entriesBy =
  (findFlaws: (entry: Entry, set: readonly Dimension[]) => Difference[]): JudgePage =>
  (page) =>
    entryMismatches([page], (entry) => findFlaws(entry, page.groupBy));

export const judgeRequestedFields = entriesBy(emptyRequested);
export const judgeOtherFields = entriesBy(unexpectedFields);
export const judgeDimension = entriesBy(wrongTypes);
export const judgeDistinctEntries: JudgePage = (page) => repeatedEntries([page], page.groupBy);

/** These types run as instances, so that some of them have an id. */
const typesOfInstances = ['sandbox', 'agent', 'job', 'mcp_server'];

export function judgeUuids(seen: Seen, facts: Facts): Judged {
  const walk = seenWalk(seen, facts);
  if (walk?.set.includes('resource_uuid') !== true) return undefined;
  const entries = entriesOf(walk.pages);
  const metered = entries.filter(({ summary }) => summary.cost > 0).map((entry) => valueOf(entry, 'resourceType'));
  const isCertain = typesOfInstances.filter((type) => metered.includes(type)).length >= 2;
  if (!isCertain || entries.some((entry) => valueOf(entry, 'resourceUuid') !== '')) return isCertain ? [] : undefined;
  return [{ expected: 'a resourceUuid in some entry', actual: 'none in any', exchange: seen.exchange }];
}

/** Only account admins surely see workspaces. */
export const judgeEnrichedFields: JudgePage = (page, { caller }) =>
  entryMismatches([page], (entry) =>
    emptyEnriched(entry, page.groupBy, caller === 'admin' ? fields : fields.filter((field) => field !== 'workspace')),
  );
