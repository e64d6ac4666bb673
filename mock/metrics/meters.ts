/** Meters: which usage of a resource is billed, how it is distributed, at what scale and when; plain data. */
import type { BillingDimension, ResourceType } from './dimensions.ts';
import type { Traffic } from './usage-patterns.ts';

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export interface Span {
  /** Inclusive. */
  readonly start: Instant;
  /** Exclusive. Absent while it continues. */
  readonly end?: Instant;
}

export interface Meter {
  readonly dimension: BillingDimension;
  /** Continuous, or one tick per request. */
  readonly use: 'steady' | Traffic;
  /** Ticks of the meter for each tick of its usage pattern; a positive whole number. */
  readonly weight: number;
  /** When the meter runs: disjoint, in order. */
  readonly spans: readonly Span[];
}

/** Usage in one second, in addition to the usage pattern. */
export interface MeteredUse {
  readonly dimension: BillingDimension;
  /** Whole seconds since 1970. */
  readonly second: number;
  readonly ticks: number;
  /** Repeats with the same amount. Absent: once. */
  readonly repeats?: Repeats | Scheduled;
}

/** At the instants of a cron expression, from the second of the use on. */
export interface Scheduled {
  readonly schedule: string;
  /** In seconds since 1970, exclusive. */
  readonly until: number;
}

/** At equal intervals. */
export interface Repeats {
  /** A whole number from 1. */
  readonly everySeconds: number;
  /** In all, the first time among them; at least 2. */
  readonly times: number;
}

/** The part of a use before a second (exclusive). */
export function usesBefore(use: MeteredUse, end: number): MeteredUse[] {
  const { second, repeats, ...rest } = use;
  if (second >= end) return [];
  if (repeats === undefined) return [use];
  if ('schedule' in repeats) return [{ ...use, repeats: { ...repeats, until: Math.min(repeats.until, end) } }];
  const times = Math.min(repeats.times, Math.ceil((end - second) / repeats.everySeconds));
  return [{ ...rest, second, ...(times > 1 && { repeats: { ...repeats, times } }) }];
}

export interface MeteredResource {
  readonly workspace: string;
  readonly type: ResourceType;
  readonly name: string;
  /** Absent for types that have none (custom_domain). */
  readonly uuid?: string;
  readonly meters: readonly Meter[];
  readonly uses?: readonly MeteredUse[];
}

/** The metered resources of an account. */
export interface MeteredAccount {
  /** Including deleted ones. Frozen when they are queried: a change creates another array. */
  readonly resources: readonly MeteredResource[];
  /** Those of an earlier query, whose index is updated instead of building another one. */
  readonly before?: readonly MeteredResource[];
}
