/** Slices of a grouping, by the values of one of its entries: what the filters of a question leave of it. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { identified, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { figureMismatches, figuresBy } from './figures.ts';
import type { Comparison } from './figures.ts';
import { entriesOf, walk } from './pages.ts';

/** The entries of a grouping, by its dimensions. */
export type Groups = Map<string, readonly Entry[]>;

/** Which entry of which grouping is looked at, by which of its dimensions one filters, and by which one groups. */
export interface Slice {
  set: Dimension[];
  pick: number;
  filterBy: Dimension[];
  groupBy: Dimension[];
}

export function filterOf(entry: Entry, by: readonly Field[]): MetricsQuery {
  return Object.fromEntries(by.map((field) => [field, valueOf(entry, field)]));
}

/** Asks for the slice of these entries, beside which `query` has no filter. */
export async function sliceMismatches(
  run: Run,
  query: MetricsQuery,
  entries: readonly Entry[],
  slice: Slice,
  comparison: Comparison = {},
): Promise<Mismatch[]> {
  const picked = entries[slice.pick % Math.max(1, entries.length)];
  const filtered = requestedFields(slice.filterBy);
  // A group that has no name is another rule's question.
  if (picked === undefined || filtered.some((field) => valueOf(picked, field) === '')) return [];
  const groupBy = slice.groupBy.length === 0 ? undefined : slice.groupBy.join(',');
  const { pages, failure: trouble } = await walk(run.client, { ...query, groupBy, ...filterOf(picked, filtered) });
  if (trouble !== undefined) return [trouble];
  const expected = entries.filter((entry) =>
    filtered.every((field) => valueOf(entry, field) === valueOf(picked, field)),
  );
  const of = requestedFields(slice.groupBy);
  const found = entriesOf(pages).filter(identified(slice.groupBy));
  const exchange = pages[0]!.exchange;
  return figureMismatches(
    `the slice out of groupBy=${slice.set.join(',')}`,
    figuresBy(of, expected),
    figuresBy(of, found),
    { ...comparison, exchange },
  );
}
