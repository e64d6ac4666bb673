/** Repeats requests until a condition holds or a timeout expires: writes may take effect later. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Exchange } from './exchange.ts';

const INITIAL_PAUSE_MS = 300;
const MAX_PAUSE_MS = 1000;

/** How long the target had for an effect that did not come, in seconds. */
const waited = new WeakMap<object, number>();

/**
 * Notes how long the target had for what this does not show; of a result, also of its exchange, and of a list, of each element. Also
 * for a response to a repeated request that was not awaited as long as the first: its effect has not come in that time either.
 */
export function noteWait(result: unknown, seconds: number): void {
  if (typeof result !== 'object' || result === null) return;
  waited.set(result, seconds);
  if ('exchange' in result) noteWait(result.exchange, seconds);
  if (Array.isArray(result)) for (const each of result) noteWait(each, seconds);
}

/** Undefined if there was no wait for it. `response`: what `eventually` returned, or its exchange. */
export const waitedSecondsFor = (response: object): number | undefined => waited.get(response);

/** Exchanges of operations that the target certainly does not have. */
const finalAnswers = new WeakSet<object>();

/** Notes that waiting does not change this answer, so that nothing is polled for another one. */
export const noteFinalAnswer = (exchange: Exchange): void => void finalAnswers.add(exchange);

/** Of an exchange, or of a result that has one. */
const isFinalAnswer = (result: unknown): boolean =>
  typeof result === 'object' &&
  result !== null &&
  (finalAnswers.has(result) || ('exchange' in result && isFinalAnswer(result.exchange)));

/**
 * Returns the first response for which `holds` is true, or that waiting does not change, otherwise the response to a request
 * sent after the timeout, so that the target has had all the time even if the network is slow.
 */
export async function eventually<Result = Exchange>(
  request: () => Promise<Result>,
  holds: (response: Result) => boolean,
  seconds: number,
): Promise<Result> {
  const start = performance.now();
  const end = start + seconds * 1000;
  for (let pause = INITIAL_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const remainingMs = end - performance.now();
    const response = await request();
    if (holds(response) || isFinalAnswer(response)) return response;
    if (remainingMs <= 0) {
      noteWait(response, (performance.now() - start) / 1000);
      return response;
    }
    await wait(Math.min(pause, Math.max(0, end - performance.now())));
  }
}

/**
 * Polls for one request after another. After the first timeout the others are sent only once: shrinking repeats a failing
 * input many times.
 */
export function pollUntilTimeout<Result = Exchange>(holds: (response: Result) => boolean, seconds: number) {
  let remainingSeconds = seconds;
  return async (request: () => Promise<Result>): Promise<Result> => {
    const response = await eventually(request, holds, remainingSeconds);
    if (!holds(response)) remainingSeconds = 0;
    return response;
  };
}

const CONSECUTIVE_COUNT = 3;

/**
 * Sends the request several times in a row while `holds` is true, and returns the last exchange: during a rollout the old
 * revision may still respond.
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

export const isSuccessful = ({ response: { status } }: Exchange): boolean => status >= 200 && status < 300;

/** An update during a deployment may be refused with 409 or 423. */
export const isSettled = ({ response: { status } }: Exchange): boolean => status !== 409 && status !== 423;

/** 503 means that a model has no instance at the moment. Cold starts are documented for agents only (decision 023). */
export const isServed = ({ response: { status } }: Exchange): boolean => status !== 503;

/** False while a workload or sandbox may have no instance, or still be starting (decision 023). */
export const isAwake = ({ response: { status } }: Exchange): boolean => ![502, 503, 504].includes(status);
