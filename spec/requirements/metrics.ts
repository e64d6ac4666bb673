/** Rules for the billing metrics; all rows of a topic are in one file. */
import { metricsQueriesRequirements } from './metrics-queries.ts';
import { metricsEntriesRequirements } from './metrics-entries.ts';
import { metricsSumsRequirements } from './metrics-sums.ts';
import { metricsPagesRequirements } from './metrics-pages.ts';
import type { Requirement } from './requirement.ts';

export const metricsRequirements = [
  ...metricsQueriesRequirements,
  ...metricsEntriesRequirements,
  ...metricsSumsRequirements,
  ...metricsPagesRequirements,
] as const satisfies readonly Requirement[];
