import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually, noteFinalAnswer, pollUntilTimeout, waitedSecondsFor } from './eventually.ts';
import type { Exchange } from './exchange.ts';

const exchange = (status: number) => ({ response: { status } }) as Exchange;
const isOpen = ({ response: { status } }: Exchange): boolean => status === 200;

test('a response slower than the timeout is followed by one more request', async () => {
  const responses = [503, 200];
  const send = async (): Promise<Exchange> => {
    await wait(20);
    return exchange(responses.shift() ?? 500);
  };
  expect(await eventually(send, isOpen, 0.001)).toEqual(exchange(200));
});

test('one request is sent if the timeout is 0', async () => {
  const responses = [503, 200];
  expect(await eventually(async () => exchange(responses.shift() ?? 500), isOpen, 0)).toEqual(exchange(503));
});

test('after the first timeout there is no more waiting', async () => {
  const open = pollUntilTimeout(isOpen, 0.05);
  const responses = [503, 200];
  expect(await open(async () => exchange(responses.shift() ?? 500))).toEqual(exchange(200));
  expect(await open(async () => exchange(503))).toEqual(exchange(503));
  let request = 0;
  await open(async () => {
    request += 1;
    return exchange(503);
  });
  expect(request).toBe(1);
});

test('a response that came too late says how long the wait was', async () => {
  const late = await eventually(async () => exchange(503), isOpen, 0.05);
  expect(waitedSecondsFor(late)).toBeGreaterThanOrEqual(0.05);
  expect(waitedSecondsFor(await eventually(async () => exchange(200), isOpen, 0.05))).toBeUndefined();
});

test('the wait is also that of the exchange of a result, and of each element of a list', async () => {
  const [first, second] = [exchange(503), exchange(503)];
  await eventually(
    async () => [{ exchange: first }, { exchange: second }],
    () => false,
    0.05,
  );
  for (const each of [first, second]) expect(waitedSecondsFor(each)).toBeGreaterThanOrEqual(0.05);
});

test('what waiting does not change is not waited for', async () => {
  let count = 0;
  const send = async () => {
    const missing = exchange(405);
    if ((count += 1) === 2) noteFinalAnswer(missing);
    return { exchange: missing };
  };
  await eventually(send, () => false, 30);
  expect(count).toBe(2);
});
