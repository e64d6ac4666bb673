/** Asks again and again until an answer is as wanted, for a bounded time: writes may take effect a little later. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';

const INITIAL_PAUSE_MS = 30;
const MAX_PAUSE_MS = 1000;

/**
 * Gives the first answer that holds, else that of a request sent once the seconds were over: however slow the way there
 * and back, the target has had the whole time.
 */
export async function eventually<Answer = Exchange>(
  request: () => Promise<Answer>,
  holds: (answer: Answer) => boolean,
  seconds: number,
): Promise<Answer> {
  const end = performance.now() + seconds * 1000;
  for (let pause = INITIAL_PAUSE_MS; ; pause = Math.min(pause * 1.5, MAX_PAUSE_MS)) {
    const remainingMs = end - performance.now();
    const answer = await request();
    if (remainingMs <= 0 || holds(answer)) return answer;
    await wait(Math.min(pause, Math.max(0, end - performance.now())));
  }
}

/**
 * Asks again in the same way, request after request. Once one was waited for in vain, no other is waited for: inputs are
 * asked again and again while they shrink.
 */
export function pollUntilTimeout<Answer = Exchange>(holds: (answer: Answer) => boolean, seconds: number) {
  let remainingSeconds = seconds;
  return async (request: () => Promise<Answer>): Promise<Answer> => {
    const answer = await eventually(request, holds, remainingSeconds);
    if (!holds(answer)) remainingSeconds = 0;
    return answer;
  };
}

const CONSECUTIVE_COUNT = 3;

/**
 * Asks several times in a row, for as long as it holds, and gives the last answer: while a revision takes over, the old one
 * may still answer now and then.
 */
export function consecutively(
  request: () => Promise<Exchange>,
  holds: (exchange: Exchange) => boolean,
): () => Promise<Exchange> {
  return async () => {
    let exchange = await request();
    for (let time = 1; time < CONSECUTIVE_COUNT && holds(exchange); time += 1) exchange = await request();
    return exchange;
  };
}

export const isSuccessful = ({ answer: { status } }: Exchange): boolean => status >= 200 && status < 300;

/** A workload's instances come and go: 503 says that there is none just then (decision 023). */
export const isServed = ({ answer: { status } }: Exchange): boolean => status !== 503;

/** A workload or a sandbox that does not serve just then may still be waking up. */
export const isAwake = ({ answer: { status } }: Exchange): boolean => ![502, 503, 504].includes(status);
