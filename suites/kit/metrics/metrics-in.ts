/** Finds metrics in a response that must not contain any. The bodies of refusals are not documented, and may have any other content. */
import { fieldsOf, isFields } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';

const isEntry = (value: unknown): boolean => isFields(value) && ('summary' in value || 'timeseries' in value);

/** Whether the member has metrics. A refusal may use the same names for other values. */
const hasMetrics = {
  data: ({ data }: Fields) => Array.isArray(data) && data.some(isEntry),
  summary: ({ summary }: Fields) => isFields(summary) && ('totalCost' in summary || 'totalUsage' in summary),
  values: ({ values }: Fields) => Array.isArray(values) && values.length > 0,
};

/** The names of the members that have metrics, or the values of an enum operation. */
export function metricsIn(json: unknown): string[] {
  const fields = fieldsOf(json);
  if (fields === undefined) return [];
  return Object.entries(hasMetrics).flatMap(([name, isShown]) => (isShown(fields) ? [name] : []));
}
