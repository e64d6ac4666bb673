/** What names and ids of instances are of: an enriched value is the one of something that the entry is about. */
import type { Run } from '../engine/conforms.ts';
import type { Flaw } from '../target/violation.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import { dimensionsFor } from '../kit/metrics/dimensions.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { enrichmentOf, fieldOf, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { formatValue } from './entry-mismatches.ts';
import { entriesOf, walk } from './pages.ts';
import { pastWindow } from '../kit/metrics/windows.ts';

/** The values of an enriched field that stand beside each value of a dimension. */
interface KnownEnrichment {
  readonly by: Dimension;
  readonly field: Field;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/**
 * As groupings by both have them: instances in the days of the question, names in the whole of the past window, where others
 * of the name may have been metered. Nothing of a grouping that is too long to be walked.
 */
export async function knownEnrichments(run: Run, days: MetricsQuery): Promise<KnownEnrichment[]> {
  const queries = { resource_uuid: days, resource_name: { ...pastWindow(run), resolution: 'monthly' } };
  const known: KnownEnrichment[] = [];
  for (const by of ['resource_name', 'resource_uuid'] as const) {
    for (const other of dimensionsFor(run).filter((dimension) => enrichmentOf[by].includes(fieldOf[dimension]))) {
      const { pages, failure: trouble } = await walk(run.client, { ...queries[by], groupBy: `${by},${other}` });
      if (trouble === undefined)
        known.push({ by, field: fieldOf[other], values: valuesOf(entriesOf(pages), by, other) });
    }
  }
  return known;
}

function valuesOf(entries: readonly Entry[], by: Dimension, other: Dimension): KnownEnrichment['values'] {
  const groups = Map.groupBy(entries, (entry) => valueOf(entry, fieldOf[by]));
  groups.delete('');
  return new Map([...groups].map(([value, group]) => [value, group.map((entry) => valueOf(entry, fieldOf[other]))]));
}

/** One name may be that of several things (decision 007): a value of any of them will do, and each field is looked at alone. */
export function wrongEnrichments(entry: Entry, set: readonly Dimension[], known: readonly KnownEnrichment[]): Flaw[] {
  if (!(entry.summary.cost > 0)) return [];
  const enriched = known.filter(({ by, field }) => set.includes(by) && !requestedFields(set).includes(field));
  return enriched.flatMap(({ by, field, values }) => {
    const [value, validValues] = [valueOf(entry, field), values.get(valueOf(entry, fieldOf[by]))];
    if (value === '' || validValues === undefined || validValues.includes(value)) return [];
    return [{ expected: `a ${field} that something of this ${fieldOf[by]} has`, actual: formatValue(value) }];
  });
}
