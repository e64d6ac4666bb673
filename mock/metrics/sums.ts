/** Costs over a window in whole micro-dollars: differences of the readings at its edges. */
import type { Instant } from './meters.ts';
import type { Stretch } from './stretches.ts';
import { ticksAt, type UsagePattern } from './usage-patterns.ts';

/** The readings of all usage patterns at the bucket boundaries of a window, computed when first needed. */
export interface Readings {
  /** Number of buckets of the window. */
  readonly buckets: number;
  /** Buckets before the first edge, which have no usage. */
  readonly offset: number;
  /** In whole seconds, from the last one before any usage to the first one after now: a window can be millennia longer. */
  readonly edges: Float64Array;
  readonly ticks: (Float64Array | undefined)[];
}

/** `earliest`: no usage is before this second. None is after now, so that what has not happened yet costs nothing. */
export function readingsAt(edges: readonly Instant[], now: Instant, earliest = -Infinity): Readings {
  const seconds = new Float64Array(edges.length);
  let offset = 0;
  let end = edges.length;
  for (const [index, edge] of edges.entries()) {
    seconds[index] = Math.floor(Math.min(edge, now) / 1000);
    if (edge / 1000 <= earliest) offset = index;
    if (edge < now || end < edges.length) continue;
    end = index + 1;
  }
  offset = Math.max(0, Math.min(offset, edges.length - 2));
  return {
    buckets: edges.length - 1,
    offset,
    edges: seconds.subarray(offset, Math.max(end, offset + 2)),
    ticks: [],
  };
}

function ticksOf(readings: Readings, usagePattern: UsagePattern, id: number): Float64Array {
  const known = readings.ticks[id];
  if (known !== undefined) return known;
  const { edges } = readings;
  const ticks = new Float64Array(edges.length);
  for (let index = 0; index < edges.length; index += 1) ticks[index] = ticksAt(usagePattern, edges[index] ?? 0);
  readings.ticks[id] = ticks;
  return ticks;
}

/** The cost of stretches over a window. */
export function costOf(stretches: readonly Stretch[], readings: Readings): number {
  const first = readings.edges[0] ?? 0;
  const lastEdge = readings.edges.length - 1;
  const last = readings.edges[lastEdge] ?? 0;
  let cost = 0;
  for (const stretch of stretches) {
    const { usagePattern, start, end = Infinity } = stretch;
    if (start >= last || end <= first) continue;
    const ticks = usagePattern.id === undefined ? undefined : ticksOf(readings, usagePattern, usagePattern.id);
    const from = start > first ? stretch.ticksAtStart : (ticks?.[0] ?? ticksAt(usagePattern, first));
    const until = (end < last ? stretch.ticksAtEnd : undefined) ?? ticks?.[lastEdge] ?? ticksAt(usagePattern, last);
    cost += stretch.rate * (until - from);
  }
  return cost;
}

/** What the ticks of a usage pattern cost, in micro-dollars a tick, and how that changes from bucket to bucket. */
interface TickRates {
  readonly ticks: Float64Array;
  rateAtStart: number;
  /** By bucket: what is added to the rate at its start. Absent while the rate is the same in all of them. */
  changes?: Float64Array;
}

/**
 * The cost of stretches in each bucket. A stretch is two events: its rate is added at its start and subtracted at its
 * end. So each stretch is visited twice, regardless of the number of buckets, and a bucket is one multiplication per
 * usage pattern.
 */
export function costPerBucket(stretches: readonly Stretch[], readings: Readings): Float64Array {
  const { edges, buckets, offset } = readings;
  const all = new Float64Array(buckets);
  const costs = all.subarray(offset, offset + edges.length - 1);
  const ratesByPattern = new Map<number, TickRates>();
  for (const stretch of stretches) {
    const { usagePattern, rate, start, end, ticksAtStart, ticksAtEnd = 0 } = stretch;
    const { id } = usagePattern;
    if (id === undefined) {
      addInstants(stretch, costs, edges);
      continue;
    }
    let rates = ratesByPattern.get(id);
    if (rates === undefined) {
      rates = { ticks: ticksOf(readings, usagePattern, id), rateAtStart: 0 };
      ratesByPattern.set(id, rates);
    }
    changeRate(rates, costs, edges, start, ticksAtStart, rate);
    if (end !== undefined) changeRate(rates, costs, edges, end, ticksAtEnd, -rate);
  }
  for (const rates of ratesByPattern.values()) addSteps(rates, costs);
  return all;
}

/** Adds the cost of instants that no other stretch shares, to each of their buckets. */
function addInstants(stretch: Stretch, costs: Float64Array, edges: Float64Array): void {
  const { usagePattern, rate, start, end = Infinity, ticksAtStart, ticksAtEnd = 0 } = stretch;
  const [first, last] = [edges[0] ?? 0, edges[edges.length - 1] ?? 0];
  if (start >= last || end <= first) return;
  let bucket = start <= first ? 0 : bucketAt(edges, start);
  let before = start <= first ? ticksAt(usagePattern, first) : ticksAtStart;
  for (; bucket < costs.length; bucket += 1) {
    const edge = edges[bucket + 1] ?? 0;
    const after = end <= edge ? ticksAtEnd : ticksAt(usagePattern, edge);
    costs[bucket] = (costs[bucket] ?? 0) + rate * (after - before);
    before = after;
    if (end <= edge) return;
  }
}

/** Changes the rate at a second: charges the rest of its bucket immediately, and later buckets by addSteps. */
function changeRate(
  rates: TickRates,
  costs: Float64Array,
  edges: Float64Array,
  second: number,
  ticksThen: number,
  rate: number,
): void {
  if (second >= (edges[edges.length - 1] ?? 0)) return;
  if (second <= (edges[0] ?? 0)) {
    rates.rateAtStart += rate;
    return;
  }
  const bucket = bucketAt(edges, second);
  const next = bucket + 1;
  costs[bucket] = (costs[bucket] ?? 0) + rate * ((rates.ticks[next] ?? 0) - ticksThen);
  rates.changes ??= new Float64Array(edges.length);
  rates.changes[next] = (rates.changes[next] ?? 0) + rate;
}

/** The bucket that has the second, which is neither before the first edge nor after the last one. */
function bucketAt(edges: Float64Array, second: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= second) low = middle;
    else high = middle;
  }
  return low;
}

function addSteps({ ticks, rateAtStart, changes }: TickRates, costs: Float64Array): void {
  let rate = rateAtStart;
  let before = ticks[0] ?? 0;
  for (let bucket = 0; bucket < costs.length; bucket += 1) {
    if (changes !== undefined) rate += changes[bucket] ?? 0;
    const after = ticks[bucket + 1] ?? 0;
    costs[bucket] = (costs[bucket] ?? 0) + rate * (after - before);
    before = after;
  }
}
