/** The twelve billing dimensions: unit prices, and how resources use them. The documents define the resource types. */
import type { BillingDimension } from '../../spec/generated/types.ts';
import { billingDimensions, billingDimensionTable } from '../../spec/values.ts';

export type { BillingDimension } from '../../spec/generated/types.ts';

export type ResourceType = 'sandbox' | 'agent' | 'job' | 'mcp_server' | 'volume' | 'custom_domain';

export type MeterKind = keyof typeof METER_KINDS;

/**
 * Meters count whole ticks. A tick is `usageDigits / 10^usageDecimals` units, so that usage has an exact decimal form;
 * `microUsdPerUnit` below is such that a tick costs a whole number of micro-dollars.
 */
export const METER_KINDS = {
  compute: { usageDigits: 25, usageDecimals: 2 },
  storage: { usageDigits: 25, usageDecimals: 0 },
  requests: { usageDigits: 1, usageDecimals: 0 },
  active_time: { usageDigits: 1, usageDecimals: 3 },
} as const;

interface DimensionRow {
  readonly kind: MeterKind;
  /** The unit price; 12 is 0.000012 USD. */
  readonly microUsdPerUnit: number;
}

const BILLING_DIMENSIONS: Readonly<Record<BillingDimension, DimensionRow>> = {
  sandbox_compute_runtime_gbs: {
    kind: 'compute',
    microUsdPerUnit: 12,
  },
  sandbox_image_storage_gbs: {
    kind: 'storage',
    microUsdPerUnit: 0.04,
  },
  sandbox_snapshot_storage_gbs: {
    kind: 'storage',
    microUsdPerUnit: 0.08,
  },
  agent_compute_runtime_gbs: {
    kind: 'compute',
    microUsdPerUnit: 16,
  },
  agent_image_storage_gbs: {
    kind: 'storage',
    microUsdPerUnit: 0.04,
  },
  agent_async_requests_count: {
    kind: 'requests',
    microUsdPerUnit: 2,
  },
  job_compute_runtime_gbs: {
    kind: 'compute',
    microUsdPerUnit: 12,
  },
  job_image_storage_gbs: {
    kind: 'storage',
    microUsdPerUnit: 0.04,
  },
  mcp_server_compute_runtime_gbs: {
    kind: 'compute',
    microUsdPerUnit: 12,
  },
  mcp_server_image_storage_gbs: {
    kind: 'storage',
    microUsdPerUnit: 0.04,
  },
  volume_storage_gbs: {
    kind: 'storage',
    microUsdPerUnit: 0.12,
  },
  custom_domain_active_time_hours: {
    kind: 'active_time',
    microUsdPerUnit: 14_000,
  },
};

export const BILLING_DIMENSION_NAMES: readonly BillingDimension[] = billingDimensions;

export function isBillingDimension(text: string): text is BillingDimension {
  return Object.hasOwn(BILLING_DIMENSIONS, text);
}

export function dimensionRow(dimension: BillingDimension): DimensionRow {
  return BILLING_DIMENSIONS[dimension];
}

const dimensionsByType: ReadonlyMap<string, readonly BillingDimension[]> = Map.groupBy(
  billingDimensions,
  (dimension) => billingDimensionTable[dimension].resourceType,
);

/** The dimensions in which resources of a type are billed. */
export function dimensionsOf(type: ResourceType): readonly BillingDimension[] {
  return dimensionsByType.get(type) ?? [];
}

/** What a tick of the dimension costs: a whole number, so that cost is exactly linear in use. */
export function microUsdPerTick(dimension: BillingDimension): number {
  const { kind, microUsdPerUnit } = dimensionRow(dimension);
  const { usageDigits, usageDecimals } = METER_KINDS[kind];
  return Math.round((microUsdPerUnit * usageDigits) / 10 ** usageDecimals);
}
