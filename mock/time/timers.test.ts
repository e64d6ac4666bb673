import { expect, test, vi } from 'vitest';
import { createClock } from './clock.ts';
import { createTimers } from './timers.ts';

test('advancing a frozen clock fires the timers it passes, in order', () => {
  const clock = createClock(1000, 'frozen');
  const timers = createTimers(clock);
  const called: number[] = [];
  for (const instant of [3000, 2000, 9000]) timers.at(instant, () => called.push(instant));
  clock.advance(999);
  expect(called).toEqual([]);
  clock.advance(2001);
  expect([called, timers.count()]).toEqual([[2000, 3000], 1]);
});

test('no timer keeps the process alive', () => {
  const held = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = held();
  const timers = createTimers(createClock(0, 'running'));
  timers.at(3_600_000, () => {});
  expect(held()).toBe(before);
  timers.close();
});

test('a cancelled or closed timer does not fire', () => {
  const clock = createClock(0, 'frozen');
  const timers = createTimers(clock);
  const run = vi.fn<() => void>();
  timers.at(1, run)();
  timers.at(2, run);
  timers.close();
  clock.advance(10);
  expect(run).not.toHaveBeenCalled();
});

test('a timer for a past instant fires soon, also with a frozen clock, but never synchronously', async () => {
  const timers = createTimers(createClock(1000, 'frozen'));
  let set = false;
  await new Promise<void>((resolve) => {
    timers.at(500, () => {
      expect(set).toBe(true);
      resolve();
    });
    set = true;
  });
});

test('a timer fires on a running clock', async () => {
  const clock = createClock(0, 'running');
  const timers = createTimers(clock);
  await new Promise<void>((resolve) => void timers.at(clock.now() + 3, resolve));
  expect(clock.now()).toBeGreaterThanOrEqual(3);
});

test('a timer that a callback adds and that is due fires in the same advance', () => {
  const clock = createClock(0, 'frozen');
  const timers = createTimers(clock);
  const called: string[] = [];
  timers.at(1, () => {
    called.push('first');
    timers.at(2, () => called.push('second'));
  });
  clock.set(5);
  expect(called).toEqual(['first', 'second']);
});

test('a wait ends at its time or when the client disconnects, and leaves no timer', async () => {
  const clock = createClock(0, 'frozen');
  const timers = createTimers(clock);
  const waited = timers.wait(100, () => {});
  clock.advance(100);
  await waited;
  let leave = () => {};
  const left = timers.wait(100, (release) => (leave = release));
  leave();
  await left;
  expect(timers.count()).toBe(0);
});

test('closing rejects pending waits with a problem and calls the onEnd callbacks of timers', async () => {
  const timers = createTimers(createClock(0, 'frozen'));
  const [run, end] = [vi.fn<() => void>(), vi.fn<() => void>()];
  timers.at(1, run, end);
  const waits = timers.wait(100, () => {});
  timers.close();
  await expect(waits).rejects.toMatchObject({ status: 503, kind: 'world_gone' });
  expect([run.mock.calls.length, end.mock.calls.length]).toEqual([0, 1]);
});

test('a wait after closing is rejected immediately', async () => {
  const timers = createTimers(createClock(0, 'frozen'));
  timers.close();
  await expect(timers.wait(100, () => {})).rejects.toMatchObject({ status: 503 });
  expect(timers.count()).toBe(0);
});
