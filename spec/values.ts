/** Enumerations and limits of the interface, read from the documents or compared with them by a test. */

import { documentOf } from './documents.ts';
import type {
  AgentRuntime,
  BillingDimension,
  DeploymentStatus,
  GroupByDimension,
  Resolution,
  Scope,
  Trigger,
} from './generated/types.ts';

const { schemas, securitySchemes } = documentOf('management').components;

export const statuses = enumeration<DeploymentStatus>(schemas['DeploymentStatus']?.enum);
export const generations = enumeration<NonNullable<AgentRuntime['generation']>>(
  schemas['AgentRuntime']?.properties?.['generation']?.enum,
);
export const triggerTypes = enumeration<NonNullable<Trigger['type']>>(schemas['Trigger']?.properties?.['type']?.enum);
export const resolutions = enumeration<Resolution>(schemas['Resolution']?.enum);
export const groupByDimensions = enumeration<GroupByDimension>(schemas['GroupByDimension']?.enum);
export const billingDimensions = enumeration<BillingDimension>(schemas['BillingDimension']?.enum);
export const scopes = enumeration<Scope>(
  Object.keys(securitySchemes['oauth']?.flows?.['clientCredentials']?.scopes ?? {}),
);

export type Unit = 'GB-seconds' | 'count' | 'hours';

/** Resource type and unit of each billing dimension. */
export const billingDimensionTable = schemas['BillingDimension']?.['x-dimensions'] as Readonly<
  Record<BillingDimension, { readonly resourceType: string; readonly unit: Unit }>
>;

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

// The documents are data at run time; only the generated types know their literals.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
function enumeration<Value extends string>(values: readonly string[] | undefined): readonly Value[] {
  if (values === undefined || values.length === 0) throw new Error('An enumeration is missing from the documents.');
  return values as readonly Value[];
}
