/** The usage of a resource as flat stretches with their readings: what queries add up. */
import { steadyKind } from './causes.ts';
import { microUsdPerTick, type BillingDimension } from './dimensions.ts';
import type { Meter, MeteredResource, MeteredUse, Span } from './meters.ts';
import {
  periodicPattern,
  scheduledPattern,
  steadyPattern,
  ticksAt,
  trafficPattern,
  type UsagePattern,
} from './usage-patterns.ts';

/** One span of a meter. Times are whole seconds: the fraction of an instant is dropped everywhere alike. */
export interface Stretch {
  readonly resource: MeteredResource;
  readonly dimension: BillingDimension;
  readonly usagePattern: UsagePattern;
  /** Micro-dollars for each tick of the usage pattern; a whole number. */
  readonly rate: number;
  readonly start: number;
  /** Undefined while it continues: V8 stores infinity as a heap number, and reading a million of them takes long. */
  readonly end: number | undefined;
  readonly ticksAtStart: number;
  readonly ticksAtEnd: number | undefined;
}

/** In the order of its meters, then its uses. */
export function stretchesOf(resource: MeteredResource, seed: number): Stretch[] {
  const stretches = [];
  for (const meter of resource.meters) {
    for (const span of meter.spans) stretches.push(stretchOf(resource, meter, span, seed));
  }
  for (const use of resource.uses ?? []) stretches.push(stretchOfUse(resource, use));
  return stretches;
}

function stretchOfUse(resource: MeteredResource, { dimension, second, ticks, repeats }: MeteredUse): Stretch {
  const [usagePattern, end] = patternOfUse(second, repeats);
  return {
    resource,
    dimension,
    usagePattern,
    rate: ticks * microUsdPerTick(dimension),
    start: second,
    end,
    ticksAtStart: ticksAt(usagePattern, second),
    ticksAtEnd: ticksAt(usagePattern, end),
  };
}

/** With its end, which is exclusive. */
function patternOfUse(second: number, repeats: MeteredUse['repeats']): [pattern: UsagePattern, end: number] {
  if (repeats === undefined) return [periodicPattern(1, second), second + 1];
  if ('schedule' in repeats) return [scheduledPattern(repeats.schedule), repeats.until];
  const { everySeconds, times } = repeats;
  return [periodicPattern(everySeconds, second), second + (times - 1) * everySeconds + 1];
}

function stretchOf(resource: MeteredResource, meter: Meter, span: Span, seed: number): Stretch {
  const { dimension, use, weight } = meter;
  const usagePattern = use === 'steady' ? steadyPattern(steadyKind(dimension)) : trafficPattern(seed, use);
  const start = Math.floor(span.start / 1000);
  const end = span.end === undefined ? undefined : Math.floor(span.end / 1000);
  const ticksAtStart = ticksAt(usagePattern, start);
  const ticksAtEnd = end === undefined ? undefined : ticksAt(usagePattern, end);
  const rate = weight * microUsdPerTick(dimension);
  return { resource, dimension, usagePattern, rate, start, end, ticksAtStart, ticksAtEnd };
}
