/** Usage patterns: cumulative ticks at any second, as a closed form of seed and time. Meters share a few of them. */
import type { MeterKind } from './dimensions.ts';
import { mix, pick } from './hash.ts';

const HOUR = 3600;
const HOURS_A_WEEK = 168;
/** The noise at an hour's boundary: 0 to 7 pulses per second are added to the hour before and subtracted from the hour after. */
const NOISE = 7;

/** Pulses a second in each hour of a day, 10 being one running instance; 0 or more than NOISE. */
const DAYS = {
  office: [0, 0, 0, 0, 0, 10, 20, 30, 40, 50, 60, 50, 30, 50, 60, 50, 40, 20, 10, 10, 0, 0, 0, 0],
  evening: [20, 10, 10, 0, 0, 0, 0, 10, 10, 10, 20, 20, 20, 20, 20, 20, 30, 40, 50, 60, 60, 50, 40, 30],
  always: [20, 20, 20, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 20, 20, 20, 20, 20, 20],
  nightly: [10, 60, 60, 40, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10],
} as const;
const STEADY = Array.from({ length: 24 }, () => 10);
/** Days of the week without use; 0 is a Thursday, as 1970-01-01 was. */
const DAYS_OFF = [[], [2, 3], [3]] as const;

/** How many profiles meters of a kind choose from, and how many pulses make a tick. */
const FAMILIES: Record<
  MeterKind,
  { readonly count: number; readonly steady: boolean; readonly pulsesPerTick: number }
> = {
  compute: { count: 16, steady: false, pulsesPerTick: 10 },
  requests: { count: 8, steady: false, pulsesPerTick: 1000 },
  storage: { count: 1, steady: true, pulsesPerTick: 2500 },
  active_time: { count: 1, steady: true, pulsesPerTick: 36 },
};

export interface UsagePattern {
  /** Position among all profiles of the seed. */
  readonly id: number;
  readonly noiseSeed: number;
  /** Pulses a second of the hours of a week before this one, added up; 169 entries, hour 0 being Thursday 00:00 UTC. */
  readonly ratesBefore: Float64Array;
  /** 1 if the boundary at the start of an hour of the week may have noise, which requires usage in both adjacent hours. */
  readonly noisy: Uint8Array;
  readonly pulsesPerTick: number;
  /** In place of all the rest: a tick in each second that leaves `phase` when divided by `everySeconds`. */
  readonly beat?: { readonly everySeconds: number; readonly phase: number };
}

export type UsagePatterns = Readonly<Record<MeterKind, readonly UsagePattern[]>>;

const beats = new Map<string, UsagePattern>();

/**
 * One tick every `interval` seconds, one of them in `second`, so that usage in equally spaced seconds is one stretch.
 * The same for all worlds; the ids follow those of the shared patterns.
 */
export function periodicPattern(everySeconds: number, second: number): UsagePattern {
  const phase = ((second % everySeconds) + everySeconds) % everySeconds;
  const name = `${everySeconds}/${phase}`;
  const known = beats.get(name);
  if (known !== undefined) return known;
  const steady = { noiseSeed: 0, ratesBefore: new Float64Array(), noisy: new Uint8Array(), pulsesPerTick: 1 };
  const made = { id: USAGE_PATTERN_COUNT + beats.size, ...steady, beat: { everySeconds, phase } };
  beats.set(name, made);
  return made;
}

/** How many profiles of a seed there are over all kinds; their ids are below it. */
export const USAGE_PATTERN_COUNT = Object.values(FAMILIES).reduce((sum, { count }) => sum + count, 0);

export function usagePatternCount(kind: MeterKind): number {
  return FAMILIES[kind].count;
}

/** All profiles of a seed, by kind. */
export function usagePatternsOf(seed: number): UsagePatterns {
  let next = 0;
  const family = (kind: MeterKind) =>
    Array.from({ length: FAMILIES[kind].count }, () => {
      const id = next;
      next += 1;
      return profileOf(kind, id, mix(seed, id));
    });
  return {
    compute: family('compute'),
    requests: family('requests'),
    storage: family('storage'),
    active_time: family('active_time'),
  };
}

function profileOf(kind: MeterKind, id: number, noiseSeed: number): UsagePattern {
  const { steady, pulsesPerTick } = FAMILIES[kind];
  const rates = steady ? weekOf(STEADY, [], 0) : rhythm(id, noiseSeed);
  const ratesBefore = new Float64Array(HOURS_A_WEEK + 1);
  for (const [hour, rate] of rates.entries()) ratesBefore[hour + 1] = (ratesBefore[hour] ?? 0) + rate;
  const noisy = Uint8Array.from(rates, (rate, hour) => (!steady && rate > 0 && rates.at(hour - 1) !== 0 ? 1 : 0));
  return { id, noiseSeed, ratesBefore, noisy, pulsesPerTick };
}

/** Every day's course with every choice of days off, one after the other; the time zone is left to chance. */
function rhythm(id: number, hash: number): number[] {
  const courses = Object.values(DAYS);
  return weekOf(pick(courses, id), pick(DAYS_OFF, Math.floor(id / courses.length)), mix(hash, 1) % 24);
}

/** The rates of a week; `shift` hours is how far the callers' time zone is ahead of UTC. */
function weekOf(day: readonly number[], daysOff: readonly number[], shift: number): number[] {
  return Array.from({ length: HOURS_A_WEEK }, (_, hour) => {
    const local = (hour + shift) % HOURS_A_WEEK;
    return daysOff.includes(Math.floor(local / 24)) ? 0 : (day[local % 24] ?? 0);
  });
}

/**
 * The tick count at a whole second since 1970. Monotonic; only differences are meaningful. The noise telescopes: what it
 * adds before a boundary it subtracts after it, so hours vary but weeks hardly do.
 */
export function ticksAt(profile: UsagePattern, second: number): number {
  const { ratesBefore, beat } = profile;
  if (beat !== undefined) return Math.ceil((second - beat.phase) / beat.everySeconds);
  const hour = Math.floor(second / HOUR);
  const week = Math.floor(hour / HOURS_A_WEEK);
  const hourOfWeek = hour - week * HOURS_A_WEEK;
  const before = ratesBefore[hourOfWeek] ?? 0;
  const noiseBefore = noiseAt(profile, hour, hourOfWeek);
  const noiseAfter = noiseAt(profile, hour + 1, (hourOfWeek + 1) % HOURS_A_WEEK);
  const rate = (ratesBefore[hourOfWeek + 1] ?? 0) - before + noiseAfter - noiseBefore;
  const pulsesAtHour = HOUR * (week * (ratesBefore[HOURS_A_WEEK] ?? 0) + before + noiseBefore);
  return Math.floor((pulsesAtHour + (second - hour * HOUR) * rate) / profile.pulsesPerTick);
}

function noiseAt(profile: UsagePattern, hour: number, hourOfWeek: number): number {
  return profile.noisy[hourOfWeek] === 1 ? mix(profile.noiseSeed, hour) & NOISE : 0;
}
