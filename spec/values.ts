/** Enumerations and limits of the interface, derived from the documents or compared with them by a test. */

import type { Resolution } from './generated/types.ts';
import { tables } from './tables.ts';

export const { statuses, generations, triggerTypes, resolutions, groupByDimensions, billingDimensions, scopes } =
  tables.enumerations;

export type { Unit } from './table-types.ts';

/** Resource type and unit of each billing dimension. */
export const { billingDimensionTable } = tables;

/** Required secret keys of a connection to an OAuth-based mail integration. */
export const mailSecretKeys = ['CLIENT_ID', 'CLIENT_SECRET', 'REFRESH_TOKEN'] as const;

export const limits = {
  nameLength: 49,
  displayNameLength: 63,
  triggerTimeoutSeconds: 900,
  cronFields: 5,
  megabytesPerCore: 2048,
  metricsPageDefault: 100,
  metricsPageMax: 100,
  groupByDimensions: 3,
} as const;

/** Longest window of each resolution as an ISO 8601 duration; undefined: unlimited. */
export const windowCaps = { hourly: 'P7D', daily: 'P90D', weekly: 'P1Y', monthly: undefined } as const satisfies Record<
  Resolution,
  string | undefined
>;
