/** The usage of each resource and billing dimension that responses of the metrics show. */
import { MAX_USAGE_AMOUNT } from '../../spec/formats/mock-limits.ts';
import { billingDimensionTable } from '../../spec/values.ts';
import type { BillingDimension } from '../../spec/generated/types.ts';
import { fieldsOf, isFields, type Fields } from '../../suites/json/fields.ts';
import type { DeploymentResponse } from './response-contents.ts';

export interface MeteredUsage {
  readonly workspace: string;
  readonly resourceType: string;
  readonly name: string;
  readonly dimension: BillingDimension;
  /** In the unit of the dimension; above 0. */
  readonly amount: number;
  /** Milliseconds since 1970, exclusive of `to`: from the first to the last bucket with activity. */
  readonly from: number;
  readonly to: number;
}

export interface Metered {
  readonly usage: readonly MeteredUsage[];
  /** Whether a response says what each resource used. */
  readonly isKnown: boolean;
  readonly remarks: readonly string[];
}

/** Of the query that shows the most: others are of other windows, and would be counted twice. */
export function meteredUsage(responses: readonly DeploymentResponse[], takenAt: number): Metered {
  const queries = Map.groupBy(
    responses.filter((each) => each.operation === 'getAccountMetrics' && isFields(each.json)),
    queryOf,
  );
  const found = [...queries.values()].map((pages) => ({ pages, rows: rowsOf(pages, takenAt) }));
  const [most, ...rest] = found.toSorted((a, b) => b.rows.length - a.rows.length);
  const unused = rest.flatMap(({ pages }) => pages).length + (most?.rows.length === 0 ? most.pages.length : 0);
  return {
    usage: summed(most?.rows ?? []),
    isKnown: (most?.rows.length ?? 0) > 0,
    remarks:
      unused === 0
        ? []
        : [
            `Not in the world file: responses of the metrics without the usage of resources, or of another window: ${unused}.`,
          ],
  };
}

function queryOf({ path, json }: DeploymentResponse): string {
  const { startTime, endTime } = json as Fields;
  return JSON.stringify([startTime, endTime, new URLSearchParams(path.split('?')[1]).get('groupBy')]);
}

/** By group, so that a page that was requested twice counts once. */
function rowsOf(pages: readonly DeploymentResponse[], takenAt: number): MeteredUsage[] {
  const rows = new Map<string, MeteredUsage>();
  for (const { json } of pages) {
    const { startTime, endTime, data } = json as Fields;
    const window = { start: Date.parse(String(startTime)), end: Math.min(Date.parse(String(endTime)), takenAt) };
    for (const entry of Array.isArray(data) ? data.filter(isFields) : []) {
      const row = rowOf(entry, window);
      if (row !== undefined) rows.set(`${keyOf(row)} ${String(entry['resourceUuid'])}`, row);
    }
  }
  return [...rows.values()];
}

const keyOf = ({ workspace, resourceType, name, dimension }: MeteredUsage): string =>
  JSON.stringify([workspace, resourceType, name, dimension]);

function rowOf(entry: Fields, window: { start: number; end: number }): MeteredUsage | undefined {
  const { workspace, resourceType, resourceName: name, billingDimension, summary, timeseries } = entry;
  const { usage = 0, cost = 0 } = (fieldsOf(summary) ?? {}) as { usage?: unknown; cost?: unknown };
  if (typeof workspace !== 'string' || typeof name !== 'string' || !isDimension(billingDimension)) return undefined;
  if (billingDimensionTable[billingDimension].resourceType !== resourceType || !(Number(usage) > 0 || Number(cost) > 0))
    return undefined;
  const [from, to] = activeSpan(Array.isArray(timeseries) ? timeseries.filter(isFields) : [], window);
  if (!(from < to)) return undefined;
  // A server may round usage down.
  const amount = Math.min(Number(usage) > 0 ? Number(usage) : 1, MAX_USAGE_AMOUNT);
  const isCount = billingDimensionTable[billingDimension].unit === 'count';
  return {
    workspace,
    resourceType,
    name,
    dimension: billingDimension,
    amount: isCount ? Math.max(1, Math.round(amount)) : amount,
    from,
    to,
  };
}

const isDimension = (value: unknown): value is BillingDimension =>
  typeof value === 'string' && Object.hasOwn(billingDimensionTable, value);

/** From the first to the last bucket with activity; the whole window if there is none. */
function activeSpan(points: readonly Fields[], { start, end }: { start: number; end: number }): [number, number] {
  const isActive = (point: Fields): boolean => Number(point['usage']) > 0 || Number(point['cost']) > 0;
  const startOf = (point: Fields | undefined): number => Date.parse(String(point?.['timestamp']));
  const last = points.findLastIndex(isActive);
  const [from, to] = [startOf(points.find(isActive)), startOf(points[last + 1])];
  return [Math.max(start, from || start), Math.min(end, to || end)];
}

/** Of the instances of a resource together. */
function summed(rows: readonly MeteredUsage[]): MeteredUsage[] {
  return [...Map.groupBy(rows, keyOf).values()].map((own) => ({
    ...own[0]!,
    amount: Math.min(
      own.reduce((sum, { amount }) => sum + amount, 0),
      MAX_USAGE_AMOUNT,
    ),
    from: Math.min(...own.map(({ from }) => from)),
    to: Math.max(...own.map(({ to }) => to)),
  }));
}
