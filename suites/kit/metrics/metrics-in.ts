/** Finds metrics in a response that must not contain any. The bodies of refusals are not documented, and may have any other content. */
import { billingDimensionTable, groupByDimensions } from '../../../spec/values.ts';
import { fieldsOf, isFields } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';

const isEntry = (value: unknown): boolean => isFields(value) && ('summary' in value || 'timeseries' in value);

/** Whether the member has metrics. A refusal may use the same names for other values. */
const hasMetrics = {
  data: ({ data }: Fields) => Array.isArray(data) && data.some(isEntry),
  summary: ({ summary }: Fields) => isFields(summary) && ('totalCost' in summary || 'totalUsage' in summary),
};

/** The names of the members that have metrics. */
export function metricsIn(json: unknown): string[] {
  const fields = fieldsOf(json);
  if (fields === undefined) return [];
  return Object.entries(hasMetrics).flatMap(([name, isMetric]) => (isMetric(fields) ? [name] : []));
}

const resourceTypes = Object.values(billingDimensionTable).map(({ resourceType }) => resourceType);
const enumValues: ReadonlySet<unknown> = new Set([...resourceTypes, ...groupByDimensions]);

/** The name of the member with the values of an enum operation. Refusals of other operations may list allowed values. */
export function enumValuesIn(json: unknown): string[] {
  const values = fieldsOf(json)?.['values'];
  return Array.isArray(values) && values.some((value) => enumValues.has(value)) ? ['values'] : [];
}
