/** Meters the usage of calls, in addition to the usage patterns of the meters. */
import { dimensionRow, METER_KINDS, type BillingDimension } from '../../metrics/dimensions.ts';
import type { Instant } from '../../time/clock.ts';
import { remeter } from '../../state/lifetimes.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';
import { MEMORY_STEP_MB, memoryOf } from './settings.ts';

/** Equally spaced instants. */
export interface Run {
  readonly first: Instant;
  /** 0 if there is only one. */
  readonly everyMs: number;
  readonly times: number;
}

type ComputeDimension = `${'agent' | 'job' | 'mcp_server'}_compute_runtime_gbs`;

/** The metered duration of a call without a scripted delay. */
const CALL_MS = 1000;

/** Meters the compute of a call at its end: memory times duration, at least one tick. */
export function meterCompute(
  world: WorldState,
  dimension: ComputeDimension,
  resource: Resource,
  at: Instant,
  milliseconds = CALL_MS,
): void {
  meter(world, resource.uuid, dimension, at, computeTicks(dimension, resource, milliseconds));
}

/** Meters a call at each instant of a run. A long run needs no more memory than a short one. */
export function meterRun(world: WorldState, dimension: ComputeDimension, resource: Resource, run: Run): void {
  const { first, everyMs, times } = run;
  // Few instants, or ones not whole seconds apart, are metered one by one.
  if (times < 3 || everyMs % 1000 !== 0) {
    for (let nth = 0; nth < times; nth++) meterCompute(world, dimension, resource, first + nth * everyMs);
  } else if (resource.uuid !== undefined) {
    const ticks = computeTicks(dimension, resource, CALL_MS);
    const repeats = { everySeconds: everyMs / 1000, times };
    (world.inference.uses[resource.uuid] ??= []).push({ dimension, second: Math.floor(first / 1000), ticks, repeats });
    remeter(world, resource.uuid);
  }
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
  const uses = (world.inference.uses[uuid] ??= []);
  const spread = (count: number, ticksEach: number): void => {
    const repeats = count > 1 && { repeats: { everySeconds: Math.floor(seconds / count), times: count } };
    if (count > 0) uses.push({ dimension, second: Math.floor(start / 1000), ticks: ticksEach, ...repeats });
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
  const uses = (world.inference.uses[uuid] ??= []);
  const second = Math.floor(at / 1000);
  // Records of the same second are summed anyway; merging with the newest one keeps the list short.
  const before = uses.at(-1);
  const isSame = before?.second === second && before.dimension === dimension && before.repeats === undefined;
  if (!isSame) uses.push({ dimension, second, ticks });
  else uses[uses.length - 1] = { ...before, ticks: before.ticks + ticks };
  remeter(world, uuid);
}
