/** Slices of a grouping: the groups that match the values of one of its entries. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { MetricsQuery } from '../kit/metrics/request.ts';
import type { Dimension } from '../kit/metrics/dimensions.ts';
import { identified, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { figureMismatches, figuresBy } from './figures.ts';
import type { Comparison } from './figures.ts';
import { entriesOf, walk } from './pages.ts';

/** Fetches the groups of a grouping that can be identified. */
export type GroupsOf = (set: readonly Dimension[]) => Promise<readonly Entry[]>;

/** The grouping, the picked entry, and the dimensions to filter and to group by. */
export interface Slice {
  set: Dimension[];
  pick: number;
  filterBy: Dimension[];
  groupBy: Dimension[];
}

export function filterOf(entry: Entry, by: readonly Field[]): MetricsQuery {
  return Object.fromEntries(by.map((field) => [field, valueOf(entry, field)]));
}

/** Requests the slice and compares it with the matching entries of the unfiltered grouping. */
export async function sliceMismatches(
  run: Run,
  query: MetricsQuery,
  entries: readonly Entry[],
  slice: Slice,
  comparison: Comparison = {},
): Promise<Mismatch[]> {
  const picked = entries[slice.pick % Math.max(1, entries.length)];
  const filtered = requestedFields(slice.filterBy);
  // Another rule checks that groups have names.
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
    `the slice of groupBy=${slice.set.join(',')}`,
    figuresBy(of, expected),
    figuresBy(of, found),
    { ...comparison, exchange },
  );
}
