/** Meters the usage of calls, in addition to the usage patterns of the meters. */
import { dimensionRow, METER_KINDS, type BillingDimension } from '../../metrics/dimensions.ts';
import type { Instant } from '../../time/clock.ts';
import { usesBefore, type MeteredUse } from '../../metrics/meters.ts';
import { noteMeterEvents, remeter } from '../../state/lifetimes.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { MEMORY_STEP_MB, memoryOf } from './settings.ts';

type ComputeDimension = `${'agent' | 'job' | 'mcp_server'}_compute_runtime_gbs`;

/** The metered duration of a call without a scripted delay. */
const CALL_MS = 1000;

/** Meters the whole compute of a call in one second, that of `at`: memory times duration, at least one tick. */
export function meterCompute(
  world: WorldState,
  dimension: ComputeDimension,
  resource: Resource,
  at: Instant,
  milliseconds = CALL_MS,
): void {
  meter(world, resource.uuid, dimension, at, computeTicks(dimension, resource, milliseconds));
}

/** Removes what was metered for a second (since 1970) or a later one. */
export function withdrawUses(world: WorldState, { uuid }: Resource, second: number): void {
  if (uuid === undefined) return;
  const uses = usesOf(world, uuid);
  const kept = uses.flatMap((use) => usesBefore(use, second));
  noteMeterEvents(world, kept.length - uses.length);
  world.inference.uses[uuid] = kept;
  remeter(world, uuid);
}

/** Instants of a cron expression, in seconds since 1970. */
export interface ScheduledCalls {
  readonly schedule: string;
  /** Inclusive. */
  readonly second: number;
  /** Exclusive. */
  readonly until: number;
}

/** How many of the newest uses are searched for one that continues. */
const SEARCHED_USES = 16;

/** Meters a call at each instant of a schedule, however many there are, as one use; continues an earlier one if possible. */
export function meterSchedule(
  world: WorldState,
  dimension: ComputeDimension,
  resource: Resource,
  { schedule, second, until }: ScheduledCalls,
): void {
  if (resource.uuid === undefined) return;
  const ticks = computeTicks(dimension, resource, CALL_MS);
  const uses = usesOf(world, resource.uuid);
  const index = uses.findLastIndex(
    ({ repeats, ...use }, at) =>
      at >= uses.length - SEARCHED_USES &&
      repeats !== undefined &&
      'schedule' in repeats &&
      repeats.schedule === schedule &&
      repeats.until === second &&
      use.ticks === ticks &&
      use.dimension === dimension,
  );
  const before = uses[index];
  if (before === undefined) add(world, uses, { dimension, second, ticks, repeats: { schedule, until } });
  else uses[index] = { ...before, repeats: { schedule, until } };
  remeter(world, resource.uuid);
}

function usesOf({ inference }: WorldState, uuid: string): MeteredUse[] {
  return (inference.uses[uuid] ??= []);
}

function add(world: WorldState, uses: MeteredUse[], use: MeteredUse): void {
  uses.push(use);
  noteMeterEvents(world, 1);
}

function computeTicks(dimension: ComputeDimension, { spec }: Resource, milliseconds: number): number {
  const gigabytes = (memoryOf(spec) * MEMORY_STEP_MB) / 1024;
  return Math.max(1, Math.round((gigabytes * milliseconds) / 1000 / unitsPerTick(dimension)));
}

/** An amount in the unit of the dimension, spread evenly over a period in whole ticks, at least one and at most one a minute. */
export function meterPeriod(
  world: WorldState,
  uuid: string,
  { dimension, start, end, amount }: { dimension: BillingDimension; start: Instant; end: Instant; amount: number },
): void {
  const seconds = Math.max(1, Math.floor((end - start) / 1000));
  const ticks = Math.max(1, Math.round(amount / unitsPerTick(dimension)));
  const times = Math.min(ticks, Math.ceil(seconds / 60));
  const each = Math.floor(ticks / times);
  const uses = usesOf(world, uuid);
  const spread = (count: number, ticksEach: number): void => {
    const repeats = count > 1 && { repeats: { everySeconds: Math.floor(seconds / count), times: count } };
    if (count > 0) add(world, uses, { dimension, second: Math.floor(start / 1000), ticks: ticksEach, ...repeats });
  };
  spread(times, each);
  spread(ticks - each * times, 1);
  remeter(world, uuid);
}

const unitsPerTick = (dimension: BillingDimension): number => {
  const { usageDigits, usageDecimals } = METER_KINDS[dimensionRow(dimension).kind];
  return usageDigits / 10 ** usageDecimals;
};

export function meterAsyncRequest(world: WorldState, { uuid }: Resource, at: Instant): void {
  meter(world, uuid, 'agent_async_requests_count', at, 1);
}

function meter(
  world: WorldState,
  uuid: string | undefined,
  dimension: BillingDimension,
  at: Instant,
  ticks: number,
): void {
  if (uuid === undefined) return;
  const uses = usesOf(world, uuid);
  const second = Math.floor(at / 1000);
  // Records of the same second are summed anyway; merging with the newest one keeps the list short.
  const before = uses.at(-1);
  const isSame = before?.second === second && before.dimension === dimension && before.repeats === undefined;
  if (isSame) uses[uses.length - 1] = { ...before, ticks: before.ticks + ticks };
  else {
    joinNewest(world, uses);
    add(world, uses, { dimension, second, ticks });
  }
  remeter(world, uuid);
}

/** Joins the two newest uses if they are of equally spaced seconds: a client that calls steadily needs no memory for each call. */
function joinNewest(world: WorldState, uses: MeteredUse[]): void {
  const [before, last] = uses.slice(-2);
  if (before === undefined || last === undefined || last.repeats !== undefined) return;
  if (before.dimension !== last.dimension || before.ticks !== last.ticks) return;
  const { repeats } = before;
  if (repeats !== undefined && 'schedule' in repeats) return;
  const { everySeconds, times } = repeats ?? { everySeconds: last.second - before.second, times: 1 };
  if (everySeconds < 1 || last.second !== before.second + everySeconds * times) return;
  uses.splice(-2, 2, { ...before, repeats: { everySeconds, times: times + 1 } });
  noteMeterEvents(world, -1);
}
