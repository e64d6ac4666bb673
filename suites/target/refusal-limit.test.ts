import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { createRefusalLimit, MAX_REFUSED_SECONDS } from './refusal-limit.ts';
import { createTransport } from './transport.ts';

/** Refuses every `pauseSeconds`, as long as a target does that asks to wait so long. Returns the seconds until the limit. */
function secondsUntilReached(pauseSeconds: number, acceptsAt: (time: number) => boolean = () => false): number {
  let seconds = 0;
  const limit = createRefusalLimit(() => seconds * 1000);
  for (; seconds < 3600; seconds += pauseSeconds) {
    limit.note(!acceptsAt(seconds));
    if (limit.isReached()) return seconds;
    for (let other = 0; other < 16; other += 1) limit.noteWait(pauseSeconds * 1000);
  }
  return Infinity;
}

test.each([
  [0.25, MAX_REFUSED_SECONDS],
  [1, MAX_REFUSED_SECONDS],
  [60, 240],
])('a target that asks to wait %d s each time is given up after %d s', (pause, expected) => {
  expect(secondsUntilReached(pause)).toBe(expected);
});

test('one response of another kind in that time is enough to go on', () => {
  expect(secondsUntilReached(1, (time) => time % 19 === 0)).toBe(Infinity);
});

test('a target that does not ask to wait is not given up', () => {
  let seconds = 0;
  const limit = createRefusalLimit(() => seconds * 1000);
  for (; seconds < 100; seconds += 1) limit.note(true);
  expect(limit.isReached()).toBe(false);
});

test('waiting is worth it while nothing but refusals comes, but not until the target is given up', () => {
  let seconds = 0;
  const limit = createRefusalLimit(() => seconds * 1000);
  const worth = (): boolean => limit.isWorthWaiting();
  const waitFor = (pause: number): void => {
    limit.note(true);
    limit.noteWait(pause * 1000);
    seconds += pause;
  };
  waitFor(1);
  expect(worth()).toBe(false);
  waitFor(2);
  expect(worth()).toBe(true);
  limit.note(false);
  expect(worth()).toBe(false);
  for (let count = 0; count < 9; count += 1) waitFor(8);
  expect(worth()).toBe(true);
  waitFor(8);
  expect(worth()).toBe(false);
  expect(limit.isReached()).toBe(false);
});

test('503 counts as refused if it asks to wait', async () => {
  const noted: boolean[] = [];
  const limit = {
    note: (refused: boolean) => void noted.push(refused),
    noteWait() {},
    isWorthWaiting: () => false,
    hasAccepted: () => false,
    isReached: () => false,
  };
  const responses = [{ 'Retry-After': '0' }, { 'Retry-After': '31536000' }, {}];
  await using server = await localServer(() => ({ status: 503, headers: responses[noted.length] ?? {} }));
  const transport = createTransport({ rate: 0, refusalLimit: limit });
  const request = { method: 'GET', origin: server.address, path: '/', headers: {} };
  await transport.send(request);
  await transport.send({ ...request, isOfWorkload: true });
  await transport.send({ ...request, method: 'POST', isOfWorkload: true });
  expect(noted).toEqual([true, true, false, false]);
  await transport.close();
});

test('requests to a target that is given up are not sent', async () => {
  await using server = await localServer(() => ({ status: 429 }));
  const reached = {
    note() {},
    noteWait() {},
    isWorthWaiting: () => false,
    hasAccepted: () => false,
    isReached: () => server.received.length >= 2,
  };
  const transport = createTransport({ rate: 0, refusalLimit: reached });
  const request = { method: 'POST', origin: server.address, path: '/', headers: {} };
  await expect(transport.send(request)).rejects.toThrow('refused every request');
  await expect(transport.send(request)).rejects.toThrow('refused every request');
  expect(server.received).toHaveLength(2);
  await transport.close();
});
