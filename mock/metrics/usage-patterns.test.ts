import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodicPattern, USAGE_PATTERN_COUNT, usagePatternsOf, ticksAt } from './usage-patterns.ts';

const DAY = 86_400;
const WEEK = 7 * DAY;
const NOON = Date.parse('2026-11-15T12:00:00Z') / 1000;

const all = Object.values(usagePatternsOf(7)).flat();
const profile = fc.constantFrom(...all);
const second = fc.integer({ min: -4_000_000_000, max: 200_000_000_000 });

test('every usage pattern has a unique id below the count', () => {
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: USAGE_PATTERN_COUNT }, (_, id) => id));
});

test('the number of ticks is an integer and never decreases, at any second', () => {
  fc.assert(
    fc.property(profile, second, fc.integer({ min: 1, max: 10_000 }), (rhythm, from, seconds) => {
      const ticks = ticksAt(rhythm, from);
      expect(Number.isSafeInteger(ticks)).toBe(true);
      expect(ticksAt(rhythm, from + seconds)).toBeGreaterThanOrEqual(ticks);
    }),
  );
});

test('usage differs between hours and hardly between weeks', () => {
  const [rhythm] = usagePatternsOf(7).compute;
  if (rhythm === undefined) throw new Error('There is no compute profile.');
  const used = (from: number, seconds: number) => ticksAt(rhythm, from + seconds) - ticksAt(rhythm, from);
  const hours = Array.from({ length: 24 }, (_, hour) => used(NOON + hour * 3600, 3600));
  const weeks = Array.from({ length: 10 }, (_, week) => used(NOON + week * WEEK, WEEK));
  expect(new Set(hours).size).toBeGreaterThan(8);
  expect(Math.max(...weeks) / Math.min(...weeks)).toBeLessThan(1.01);
});

test('some usage patterns have no usage at night or at weekends', () => {
  const restsSomewhere = usagePatternsOf(7).compute.filter((rhythm) =>
    Array.from({ length: 168 }, (_, hour) => NOON + hour * 3600).some(
      (start) => ticksAt(rhythm, start) === ticksAt(rhythm, start + 3600),
    ),
  );
  expect(restsSomewhere.length).toBeGreaterThan(3);
  expect(restsSomewhere.length).toBeLessThan(16);
});

test('active time is one hour per hour', () => {
  const [active] = usagePatternsOf(7).active_time;
  if (active === undefined) throw new Error('There is no profile of active time.');
  expect(ticksAt(active, NOON + 3600) - ticksAt(active, NOON)).toBe(1000);
});

test('usage patterns depend on the seed', () => {
  const used = (seed: number) =>
    usagePatternsOf(seed).compute.map((rhythm) => ticksAt(rhythm, NOON) - ticksAt(rhythm, NOON - WEEK));
  expect(used(7)).toEqual(used(7));
  expect(used(7)).not.toEqual(used(8));
});

test('a fixed-interval pattern ticks once per interval and has an id above the count', () => {
  fc.assert(
    fc.property(second, fc.integer({ min: 1, max: 100_000 }), fc.nat(1000), (from, every, times) => {
      const beat = periodicPattern(every, from);
      expect(beat).toBe(periodicPattern(every, from + every * times));
      expect(beat.id).toBeGreaterThanOrEqual(USAGE_PATTERN_COUNT);
      const ticks = (start: number, end: number) => ticksAt(beat, end) - ticksAt(beat, start);
      expect(ticks(from, from + 1)).toBe(1);
      expect(ticks(from + 1, from + every)).toBe(0);
      expect(ticks(from, from + every * times)).toBe(times);
    }),
  );
});
