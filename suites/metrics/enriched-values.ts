/** Checks that enriched values belong to the resource of the entry. */
import type { Run } from '../engine/conforms.ts';
import type { Difference } from '../target/violation.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { enrichmentOf, fieldOf, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { formatValue } from './entry-mismatches.ts';
import { entriesOf, walk } from './pages.ts';
import { pastWindow } from '../kit/metrics/windows.ts';

/** The values of an enriched field for each value of a dimension. */
interface KnownEnrichment {
  readonly by: Dimension;
  readonly field: Field;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/**
 * From groupings by all of them: uuids in the days of the query, names in the whole past window, where other resources of
 * the same name may have been metered. Skips groupings with too many pages.
 */
export async function knownEnrichments(run: Run, days: MetricsQuery): Promise<KnownEnrichment[]> {
  const queries = { resource_uuid: days, resource_name: { ...pastWindow(run), resolution: 'monthly' } };
  const known: KnownEnrichment[] = [];
  for (const by of ['resource_name', 'resource_uuid'] as const) {
    const enriched = dimensionsFor(run).filter((dimension) => enrichmentOf[by].includes(fieldOf[dimension]));
    // At most three dimensions in all.
    for (const others of [enriched.slice(0, 2), enriched.slice(2)].filter(({ length }) => length > 0)) {
      const set = dimensionsFor(run).filter((dimension) => dimension === by || others.includes(dimension));
      const { pages, failure } = await walk(run.client, { ...queries[by], groupBy: set.join(',') });
      if (failure !== undefined) continue;
      const entries = entriesOf(pages);
      known.push(...others.map((other) => ({ by, field: fieldOf[other], values: valuesOf(entries, by, other) })));
    }
  }
  return known;
}

function valuesOf(entries: readonly Entry[], by: Dimension, other: Dimension): KnownEnrichment['values'] {
  const groups = Map.groupBy(entries, (entry) => valueOf(entry, fieldOf[by]));
  groups.delete('');
  return new Map([...groups].map(([value, group]) => [value, group.map((entry) => valueOf(entry, fieldOf[other]))]));
}

/**
 * Several resources may share a name (decision 007): a value of any of them is correct. Each field is checked alone.
 */
export function wrongEnrichments(
  entry: Entry,
  set: readonly Dimension[],
  known: readonly KnownEnrichment[],
): Difference[] {
  if (!(entry.summary.cost > 0)) return [];
  const enriched = known.filter(({ by, field }) => set.includes(by) && !requestedFields(set).includes(field));
  return enriched.flatMap(({ by, field, values }) => {
    const [value, validValues] = [valueOf(entry, field), values.get(valueOf(entry, fieldOf[by]))];
    if (value === '' || validValues === undefined || validValues.includes(value)) return [];
    return [{ expected: `a ${field} of a resource with this ${fieldOf[by]}`, actual: formatValue(value) }];
  });
}
