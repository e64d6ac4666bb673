/** Asks again and again until an answer is as wanted, for a bounded time: writes may take effect a little later. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';

const FIRST_PAUSE_MS = 30;
const LONGEST_PAUSE_MS = 1000;

/**
 * Gives the first answer that holds, else that of a request sent once the seconds were over: however slow the way there
 * and back, the target has had the whole time.
 */
export async function eventually<Answer = Exchange>(
  ask: () => Promise<Answer>,
  holds: (answer: Answer) => boolean,
  seconds: number,
): Promise<Answer> {
  const end = performance.now() + seconds * 1000;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const leftMs = end - performance.now();
    const answer = await ask();
    if (leftMs <= 0 || holds(answer)) return answer;
    await wait(Math.min(pause, Math.max(0, end - performance.now())));
  }
}

/**
 * Asks again in the same way, request after request. Once one was waited for in vain, no other is waited for: inputs are
 * asked again and again while they shrink.
 */
export function untilInVain<Answer = Exchange>(holds: (answer: Answer) => boolean, seconds: number) {
  let left = seconds;
  return async (ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = await eventually(ask, holds, left);
    if (!holds(answer)) left = 0;
    return answer;
  };
}

const IN_A_ROW = 3;

/**
 * Asks several times in a row, for as long as it holds, and gives the last answer: while a revision takes over, the old one
 * may still answer now and then.
 */
export function inARow(ask: () => Promise<Exchange>, holds: (exchange: Exchange) => boolean): () => Promise<Exchange> {
  return async () => {
    let exchange = await ask();
    for (let time = 1; time < IN_A_ROW && holds(exchange); time += 1) exchange = await ask();
    return exchange;
  };
}

export const isAnswered2xx = ({ answer: { status } }: Exchange): boolean => status >= 200 && status < 300;

/** A workload's instances come and go: 503 says that there is none just then (decision 023). */
export const isServed = ({ answer: { status } }: Exchange): boolean => status !== 503;

/** A workload or a sandbox that does not serve just then may still be waking up. */
export const isAwake = ({ answer: { status } }: Exchange): boolean => ![502, 503, 504].includes(status);
