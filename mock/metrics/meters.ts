/** Meters: which usage of a resource is billed, by which usage pattern, at what scale and when; plain data. */
import {
  BILLING_DIMENSION_NAMES,
  dimensionRow,
  isOfType,
  type BillingDimension,
  type ResourceType,
} from './dimensions.ts';
import { hashText, mix, pick } from './hash.ts';
import { usagePatternCount } from './usage-patterns.ts';

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
  /** Index of the usage pattern among those of the dimension's kind. */
  readonly profile: number;
  /** Ticks of the meter for each tick of its profile; a positive whole number. */
  readonly weight: number;
  /** When the meter runs: disjoint, in order. What lies between two is a quiet stretch. */
  readonly spans: readonly Span[];
}

/** Usage in one second, in addition to the usage pattern. */
export interface MeteredUse {
  readonly dimension: BillingDimension;
  /** Whole seconds since 1970. */
  readonly second: number;
  readonly ticks: number;
  /** Repeats with the same amount at equal intervals. Absent: once. */
  readonly repeats?: Repeats;
}

export interface Repeats {
  /** A whole number from 1. */
  readonly everySeconds: number;
  /** In all, the first time among them; at least 2. */
  readonly times: number;
}

/** What of a use was before a second, which is exclusive. */
export function usesBefore(use: MeteredUse, end: number): MeteredUse[] {
  const { second, repeats, ...rest } = use;
  if (second >= end) return [];
  if (repeats === undefined) return [use];
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

const DAY = 86_400_000;
const FEWEST_DAYS_BETWEEN = 20;
const MAX_IDLE_DAYS = 9;

/** The meters of a resource that exists during `span`: a closed form of the seed and its uuid, or its name if it has none. */
export function metersFor(type: ResourceType, seed: number, identity: string, span: Span): Meter[] {
  const own = hashText(seed, identity);
  return BILLING_DIMENSION_NAMES.filter((dimension) => isOfType(dimension, type))
    .map((dimension) => ({ dimension, hash: hashText(own, dimension) }))
    .filter(({ dimension, hash }) => mix(hash, 1) % dimensionRow(dimension).oneIn === 0)
    .map(({ dimension, hash }) => meterOf(dimension, hash, span));
}

function meterOf(dimension: BillingDimension, hash: number, span: Span): Meter {
  const { kind, weights } = dimensionRow(dimension);
  const rests = kind === 'compute' || kind === 'requests';
  return {
    dimension,
    profile: mix(hash, 2) % usagePatternCount(kind),
    weight: pick(weights, mix(hash, 3)),
    spans: rests ? withQuietStretches(span, mix(hash, 4)) : [span],
  };
}

/** Removes up to three idle periods of 1 to 9 days from the first 400 days of a span. */
function withQuietStretches(span: Span, hash: number): Span[] {
  const spans: Span[] = [];
  let start = span.start;
  for (let nth = 0; nth < hash % 4; nth += 1) {
    const end = start + (FEWEST_DAYS_BETWEEN + (mix(hash, 2 * nth) % 100)) * DAY;
    if (end >= (span.end ?? Infinity)) break;
    spans.push({ start, end });
    start = end + (1 + (mix(hash, 2 * nth + 1) % MAX_IDLE_DAYS)) * DAY;
  }
  if (start < (span.end ?? Infinity)) spans.push({ ...span, start });
  return spans;
}

/** The same resource stopped at an instant, as by its deletion: it has no use from then on, and keeps its past. */
export function stopMeters(resource: MeteredResource, at: Instant): MeteredResource {
  const meters = resource.meters.map((meter) => ({
    ...meter,
    spans: meter.spans
      .filter(({ start }) => start < at)
      .map(({ start, end }) => ({ start, end: Math.min(end ?? Infinity, at) })),
  }));
  return { ...resource, meters };
}
