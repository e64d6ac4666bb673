/** Usage patterns: cumulative ticks at any second, as a closed form of seed and time. Meters share them. */
import type { MeterKind } from './dimensions.ts';
import { cronCalendar } from '../time/cron-calendar.ts';
import { hashText, mix } from './hash.ts';

const HOUR = 3600;
const HOURS_A_WEEK = 168;
/** The noise at an hour's boundary: 0 to 7 pulses per second are added to the hour before and subtracted from the hour after. */
const NOISE = 7;

/** Pulses a second in each hour of a UTC day; 0 or more than NOISE. `daysOff`: days of the week, 0 being a Thursday, as 1970-01-01 was. */
const TRAFFIC = {
  'office-hours': {
    hours: [0, 0, 0, 0, 0, 10, 20, 30, 40, 50, 60, 50, 30, 50, 60, 50, 40, 20, 10, 10, 0, 0, 0, 0],
    daysOff: [2, 3],
  },
  evenings: {
    hours: [20, 10, 10, 0, 0, 0, 0, 10, 10, 10, 20, 20, 20, 20, 20, 20, 30, 40, 50, 60, 60, 50, 40, 30],
    daysOff: [],
  },
  nights: {
    hours: [10, 60, 60, 40, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10],
    daysOff: [],
  },
  always: {
    hours: [20, 20, 20, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 20, 20, 20, 20, 20, 20],
    daysOff: [],
  },
} as const satisfies Record<string, { readonly hours: readonly number[]; readonly daysOff: readonly number[] }>;

export type TrafficPattern = keyof typeof TRAFFIC;
export const trafficPatterns = Object.keys(TRAFFIC) as readonly TrafficPattern[];

/** Synthetic requests to a resource. */
export interface Traffic {
  /** On average over a week; a whole number from 1. */
  readonly requestsPerDay: number;
  readonly pattern: TrafficPattern;
}

const STEADY_PULSES = 10;
/** Pulses of one steady tick. */
const STEADY: Readonly<Record<Exclude<MeterKind, 'requests'>, number>> = {
  /** A tick a second: an instance of 256 MB. */
  compute: 10,
  /** A tick in 250 seconds: 100 MB. */
  storage: 2500,
  /** A thousand ticks an hour. */
  active_time: 36,
};

export interface UsagePattern {
  /** Unique; undefined for the instants of calls, which stretches do not share. */
  readonly id: number | undefined;
  readonly noiseSeed: number;
  /** Pulses a second of the hours of a week before this one, added up; 169 entries, hour 0 being Thursday 00:00 UTC. */
  readonly ratesBefore: Float64Array;
  /** 1 if the boundary at the start of an hour of the week may have noise, which requires usage in both adjacent hours. */
  readonly noisy: Uint8Array;
  readonly pulsesPerTick: number;
  /** In place of all the rest: how many ticks are before a second. */
  readonly ticksBefore?: (second: number) => number;
}

/** By name. The same in all worlds. */
const known = new Map<string, UsagePattern>();
/** Beyond, they are created again: a pattern depends on the seed of its world. */
const MAX_KNOWN = 10_000;
let count = 0;

function patternNamed(name: string, make: () => Omit<UsagePattern, 'id'>): UsagePattern {
  const found = known.get(name);
  if (found !== undefined) return found;
  const made = { id: count++, ...make() };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, made);
  return made;
}

/** Continuous use of the same amount. */
export const steadyPattern = (kind: keyof typeof STEADY): UsagePattern =>
  patternNamed(`steady ${kind}`, () =>
    patternOf(
      0,
      Array.from({ length: HOURS_A_WEEK }, () => STEADY_PULSES),
      STEADY[kind],
      false,
    ),
  );

/** One tick per request. Requests depend on the seed, except for their number in a week. */
export const trafficPattern = (seed: number, { pattern, requestsPerDay }: Traffic): UsagePattern =>
  patternNamed(`traffic ${seed} ${pattern} ${requestsPerDay}`, () => {
    const rates = weekOf(TRAFFIC[pattern]);
    const pulsesAWeek = HOUR * rates.reduce((sum, rate) => sum + rate, 0);
    return patternOf(mix(seed, hashText(requestsPerDay, pattern)), rates, pulsesAWeek / (7 * requestsPerDay), true);
  });

/**
 * One tick every `interval` seconds, one of them in `second`, so that usage in equally spaced seconds is one stretch.
 */
export function periodicPattern(everySeconds: number, second: number): UsagePattern {
  if (everySeconds === 1) return everySecond;
  const phase = ((second % everySeconds) + everySeconds) % everySeconds;
  return patternOfInstants((until) => Math.ceil((until - phase) / everySeconds));
}

/** A tick at each instant of a cron expression; none if it is invalid. */
export function scheduledPattern(schedule: string): UsagePattern {
  try {
    return patternOfInstants(cronCalendar(schedule).before);
  } catch {
    return patternOfInstants(() => 0); // Only a deviation, or a snapshot that was changed, has one.
  }
}

const NONE = new Float64Array();
const NEVER = new Uint8Array();

function patternOfInstants(ticksBefore: (second: number) => number): UsagePattern {
  return { id: undefined, noiseSeed: 0, ratesBefore: NONE, noisy: NEVER, pulsesPerTick: 1, ticksBefore };
}

const everySecond = patternOfInstants((until) => until);

function patternOf(
  noiseSeed: number,
  rates: readonly number[],
  pulsesPerTick: number,
  hasNoise: boolean,
): Omit<UsagePattern, 'id'> {
  const ratesBefore = new Float64Array(HOURS_A_WEEK + 1);
  for (const [hour, rate] of rates.entries()) ratesBefore[hour + 1] = (ratesBefore[hour] ?? 0) + rate;
  const noisy = Uint8Array.from(rates, (rate, hour) => (hasNoise && rate > 0 && rates.at(hour - 1) !== 0 ? 1 : 0));
  return { noiseSeed, ratesBefore, noisy, pulsesPerTick };
}

function weekOf({ hours, daysOff }: (typeof TRAFFIC)[TrafficPattern]): number[] {
  return Array.from({ length: HOURS_A_WEEK }, (_, hour) => {
    const isOff = (daysOff as readonly number[]).includes(Math.floor(hour / 24));
    return isOff ? 0 : (hours[hour % 24] ?? 0);
  });
}

/**
 * The tick count at a whole second since 1970. Monotonic; only differences are meaningful. The noise telescopes: what it
 * adds before a boundary it subtracts after it, so hours vary but weeks hardly do.
 */
export function ticksAt(usagePattern: UsagePattern, second: number): number {
  const { ratesBefore, ticksBefore } = usagePattern;
  if (ticksBefore !== undefined) return ticksBefore(second);
  const hour = Math.floor(second / HOUR);
  const week = Math.floor(hour / HOURS_A_WEEK);
  const hourOfWeek = hour - week * HOURS_A_WEEK;
  const before = ratesBefore[hourOfWeek] ?? 0;
  const noiseBefore = noiseAt(usagePattern, hour, hourOfWeek);
  const noiseAfter = noiseAt(usagePattern, hour + 1, (hourOfWeek + 1) % HOURS_A_WEEK);
  const rate = (ratesBefore[hourOfWeek + 1] ?? 0) - before + noiseAfter - noiseBefore;
  const pulsesAtHour = HOUR * (week * (ratesBefore[HOURS_A_WEEK] ?? 0) + before + noiseBefore);
  return Math.floor((pulsesAtHour + (second - hour * HOUR) * rate) / usagePattern.pulsesPerTick);
}

function noiseAt({ noisy, noiseSeed }: UsagePattern, hour: number, hourOfWeek: number): number {
  return noisy[hourOfWeek] === 1 ? mix(noiseSeed, hour) & NOISE : 0;
}
