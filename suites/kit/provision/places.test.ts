import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MAX_CREATED, withAllPlaces, withPlace } from './places.ts';

function counting() {
  let running = 0;
  const seen: number[] = [];
  const call = async () => {
    seen.push((running += 1));
    await wait(2);
    running -= 1;
  };
  return { call, seen };
}

test('at most as many calls run as there are places', async () => {
  const run = { shared: {} };
  const { call, seen } = counting();
  await Promise.all(Array.from({ length: 10 }, () => withPlace(run, call)));
  expect(seen).toHaveLength(10);
  expect(Math.max(...seen)).toBe(MAX_CREATED);
});

test('a call that takes all places runs alone, also if calls fail', async () => {
  const run = { shared: {} };
  const { call, seen } = counting();
  const fail = async () => {
    await call();
    throw new Error('failed');
  };
  const alone = async () => {
    const { length } = seen;
    await call();
    expect(seen.slice(length)).toEqual([1]);
  };
  const calls = [withPlace(run, fail), withAllPlaces(run, alone), withPlace(run, call), withPlace(run, call)];
  expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
});
