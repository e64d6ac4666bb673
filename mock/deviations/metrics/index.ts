/** All deviations of the metrics operations. */
import { merged, type Table } from '../table.ts';
import { bucketsDeviations } from './buckets.ts';
import { enumsDeviations } from './enums.ts';
import { filtersDeviations } from './filters.ts';
import { groupByDeviations } from './group-by.ts';
import { paginationDeviations } from './pagination.ts';
import { parametersDeviations } from './parameters.ts';
import { resolutionDeviations } from './resolution.ts';
import { rolesDeviations } from './roles.ts';
import { sumsDeviations } from './sums.ts';
import { usageDeviations } from './usage.ts';

export const metricsDeviations: Table = merged(
  parametersDeviations,
  resolutionDeviations,
  bucketsDeviations,
  rolesDeviations,
  groupByDeviations,
  usageDeviations,
  sumsDeviations,
  filtersDeviations,
  paginationDeviations,
  enumsDeviations,
);
