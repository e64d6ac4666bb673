/** Meters what calls use, beside the rhythm that every meter has; the billing metrics add both up. */
import { dimensionRow, METER_KINDS, type BillingDimension } from '../../metrics/dimensions.ts';
import type { Instant } from '../../time/clock.ts';
import { remeter } from '../../state/lifetimes.ts';
import type { Resource } from '../../state/resources.ts';
import type { WorldState } from '../../state/world-state.ts';

/** So many instants, the first one and others equally far apart. */
export interface Run {
  readonly first: Instant;
  /** 0 where there is only one. */
  readonly everyMs: number;
  readonly times: number;
}

type ComputeDimension = `${'agent' | 'job' | 'mcp_server'}_compute_runtime_gbs`;

const DEFAULT_MEMORY_MB = 2048;
/** What a call without a scripted delay is metered as. */
const CALL_MS = 1000;

/** Compute of an agent, a job or a function, at the end of what took so long: its memory times that time, at least one tick. */
export function meterCompute(
  world: WorldState,
  dimension: ComputeDimension,
  resource: Resource,
  at: Instant,
  milliseconds = CALL_MS,
): void {
  meter(world, resource.uuid, dimension, at, computeTicks(dimension, resource, milliseconds));
}

/** A call at each instant of a run; a long one takes no more room than a short one. */
export function meterRun(world: WorldState, dimension: ComputeDimension, resource: Resource, run: Run): void {
  const { first, everyMs, times } = run;
  // Times that are few, or not whole seconds apart, are not worth a rhythm of their own.
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
  const memory = (spec['runtime'] as { memory?: unknown } | undefined)?.memory;
  const gigabytes = (typeof memory === 'number' && memory > 0 ? memory : DEFAULT_MEMORY_MB) / 1024;
  const { usageDigits, usageDecimals } = METER_KINDS[dimensionRow(dimension).kind];
  const perTick = usageDigits / 10 ** usageDecimals;
  return Math.max(1, Math.round((gigabytes * milliseconds) / 1000 / perTick));
}

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
  // Two records of one second add up all the same: looking at the newest keeps the list short and the search too.
  const before = uses.at(-1);
  const isSame = before?.second === second && before.dimension === dimension && before.repeats === undefined;
  if (!isSame) uses.push({ dimension, second, ticks });
  else uses[uses.length - 1] = { ...before, ticks: before.ticks + ticks };
  remeter(world, uuid);
}
