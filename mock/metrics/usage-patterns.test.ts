import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodicPattern, steadyPattern, ticksAt, trafficPattern, trafficPatterns } from './usage-patterns.ts';

const DAY = 86_400;
const WEEK = 7 * DAY;
const NOON = Date.parse('2026-11-15T12:00:00Z') / 1000;

const traffic = (seed: number) =>
  trafficPatterns.flatMap((pattern) =>
    [1, 900, 86_400, 5_000_000].map((requestsPerDay) => trafficPattern(seed, { pattern, requestsPerDay })),
  );
const all = [steadyPattern('compute'), steadyPattern('storage'), steadyPattern('active_time'), ...traffic(7)];
const profile = fc.constantFrom(...all);
const second = fc.integer({ min: -4_000_000_000, max: 200_000_000_000 });

test('every usage pattern has a unique id', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
});

test('a week has the requests of seven average days', () => {
  for (const pattern of trafficPatterns)
    for (const requestsPerDay of [1, 24, 900, 86_400]) {
      const rhythm = trafficPattern(7, { pattern, requestsPerDay });
      const requests = ticksAt(rhythm, NOON + 52 * WEEK) - ticksAt(rhythm, NOON);
      expect(Math.abs(requests - 52 * 7 * requestsPerDay)).toBeLessThanOrEqual(1 + requestsPerDay / 10);
    }
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
  const rhythm = trafficPattern(7, { pattern: 'office-hours', requestsPerDay: 20_000 });
  const used = (from: number, seconds: number) => ticksAt(rhythm, from + seconds) - ticksAt(rhythm, from);
  const hours = Array.from({ length: 24 }, (_, hour) => used(NOON + hour * 3600, 3600));
  const weeks = Array.from({ length: 10 }, (_, week) => used(NOON + week * WEEK, WEEK));
  expect(new Set(hours).size).toBeGreaterThan(6);
  expect(Math.max(...weeks) / Math.min(...weeks)).toBeLessThan(1.01);
});

test('office hours have no requests at night and at weekends', () => {
  const rhythm = trafficPattern(7, { pattern: 'office-hours', requestsPerDay: 20_000 });
  const used = (from: string, hours: number) =>
    ticksAt(rhythm, Date.parse(from) / 1000 + hours * 3600) - ticksAt(rhythm, Date.parse(from) / 1000);
  expect(used('2026-11-14T00:00:00Z', 48)).toBe(0);
  expect(used('2026-11-16T20:00:00Z', 9)).toBe(0);
  expect(used('2026-11-16T09:00:00Z', 1)).toBeGreaterThan(1000);
});

test('an instance has a tick a second, active time one hour per hour', () => {
  const inAnHour = (kind: Parameters<typeof steadyPattern>[0]) =>
    ticksAt(steadyPattern(kind), NOON + 3600) - ticksAt(steadyPattern(kind), NOON);
  expect(inAnHour('compute')).toBe(3600);
  expect(inAnHour('active_time')).toBe(1000);
});

test('requests depend on the seed', () => {
  const used = (seed: number) => traffic(seed).map((rhythm) => ticksAt(rhythm, NOON) - ticksAt(rhythm, NOON - DAY));
  expect(used(7)).toEqual(used(7));
  expect(used(7)).not.toEqual(used(8));
});

test('a fixed-interval pattern ticks once per interval', () => {
  fc.assert(
    fc.property(second, fc.integer({ min: 1, max: 100_000 }), fc.nat(1000), (from, every, times) => {
      const beat = periodicPattern(every, from);
      const ticks = (start: number, end: number) => ticksAt(beat, end) - ticksAt(beat, start);
      expect(ticks(from, from + 1)).toBe(1);
      expect(ticks(from + 1, from + every)).toBe(0);
      expect(ticks(from, from + every * times)).toBe(times);
    }),
  );
});
