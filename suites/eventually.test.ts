import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import type { Exchange } from './target/exchange.ts';

const exchange = (status: number) => ({ answer: { status } }) as Exchange;
const isOpen = ({ answer: { status } }: Exchange): boolean => status === 200;

test('an answer slower than all patience is not the last one', async () => {
  const answers = [503, 200];
  const ask = async (): Promise<Exchange> => {
    await wait(20);
    return exchange(answers.shift() ?? 500);
  };
  expect(await eventually(ask, isOpen, 0.001)).toEqual(exchange(200));
});

test('without patience it is asked once', async () => {
  const answers = [503, 200];
  expect(await eventually(async () => exchange(answers.shift() ?? 500), isOpen, 0)).toEqual(exchange(503));
});
