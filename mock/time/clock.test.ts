import { expect, test } from 'vitest';
import { createClock, timestamp } from './clock.ts';

test('a frozen clock does not move until it is advanced', () => {
  let elapsed = 0;
  const clock = createClock(1000, 'frozen', () => elapsed);
  elapsed = 500;
  expect(clock.now()).toBe(1000);
  clock.advance(60_000);
  expect(clock.now()).toBe(61_000);
});

test('a running clock follows real time, and freezing and running preserve its reading', () => {
  let elapsed = 0;
  const clock = createClock(1000, 'running', () => elapsed);
  elapsed = 250;
  expect(clock.now()).toBe(1250);
  clock.freeze();
  elapsed = 900;
  expect([clock.now(), clock.mode()]).toEqual([1250, 'frozen']);
  clock.run();
  elapsed = 1000;
  expect([clock.now(), clock.mode()]).toEqual([1350, 'running']);
});

test('a clock can be set back', () => {
  const clock = createClock(1000, 'frozen');
  clock.set(10);
  expect(timestamp(clock.now())).toBe('1970-01-01T00:00:00.010Z');
});

test('a running clock stands still when the year 9999 ends', () => {
  const end = Date.parse('9999-12-31T23:59:59.999Z');
  let elapsed = 0;
  const clock = createClock(end - 5, 'running', () => elapsed);
  elapsed = 60_000;
  expect(clock.now()).toBe(end);
  clock.set(1000);
  expect(clock.now()).toBe(1000);
});

test('a timestamp equals that of Date, around midnight, leap days and 1970', () => {
  const day = Date.parse('2028-02-29T00:00:00Z');
  for (const instant of [
    day - 1,
    day,
    day + 1,
    day + 86_399_999,
    day + 86_400_000,
    -1,
    0,
    -86_400_001,
    253_402_300_799_999,
    day + 45_296_789,
  ]) {
    expect(timestamp(instant)).toBe(new Date(instant).toISOString());
  }
});

test('timestamps are right however many there are', () => {
  const start = Date.parse('2028-02-29T00:00:00Z');
  const instants = Array.from({ length: 25_000 }, (_, index) => start + index * 12_345_678);
  for (let round = 0; round < 2; round++)
    expect(instants.map(timestamp)).toEqual(instants.map((instant) => new Date(instant).toISOString()));
});
