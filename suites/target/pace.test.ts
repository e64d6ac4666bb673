import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createPace } from './pace.ts';

test.each([0, 1000])('a pause delays later requests at %i requests per second', async (rate) => {
  const pace = createPace(rate);
  await pace.turn();
  const started = performance.now();
  pace.pause(50);
  pace.pause(10); // a shorter one does not end it
  await Promise.all([pace.turn(), pace.turn()]);
  expect(performance.now() - started).toBeGreaterThanOrEqual(45);
});

test('a pause delays requests that are already waiting', async () => {
  const pace = createPace(1000);
  const left: number[] = [];
  const turns = [1, 2, 3, 4].map(async () => {
    await pace.turn();
    left.push(performance.now());
  });
  const started = performance.now();
  pace.pause(50);
  await Promise.all(turns);
  expect(left.slice(1).filter((at) => at - started < 45)).toEqual([]); // the first was sent before the pause
});

test('turns come in the order of the calls, also if a pause begins in between', async () => {
  const pace = createPace(200);
  const order: number[] = [];
  const call = (number: number) => pace.turn().then(() => order.push(number));
  const first = [call(1), call(2), call(3)];
  await wait(7);
  pace.pause(20);
  const later = [call(4)];
  await wait(19);
  later.push(call(5));
  await Promise.all([...first, ...later]);
  expect(order).toEqual([1, 2, 3, 4, 5]);
});

test('waiting can be aborted', async () => {
  const pace = createPace(0);
  pace.pause(60_000);
  const caller = new AbortController();
  const waiting = pace.turn(caller.signal);
  caller.abort();
  await expect(waiting).rejects.toThrow('abort');
});

test('turns that come late are not made up for with a burst', async () => {
  let now = 0;
  const late = [0, 0, 500, 0, 0, 0];
  const pace = createPace(20, {
    now: () => now,
    wait: async (milliseconds) => void (now += milliseconds + (late.shift() ?? 0)),
  });
  const times: number[] = [];
  for (let nth = 0; nth < 7; nth += 1) {
    await pace.turn();
    times.push(now);
  }
  expect(times).toEqual([0, 50, 100, 650, 650, 700, 750]);
});
