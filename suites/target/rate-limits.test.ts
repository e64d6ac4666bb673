/** A run takes about as long as the rate limit of its target allows, however the target counts requests: in virtual time. */
import { expect, test } from 'vitest';
import { virtualClock } from '../testing/virtual-clock.ts';
import { createGate } from './gate.ts';
import { createPace } from './pace.ts';
import { createRefusalLimit } from './refusal-limit.ts';
import { retryDelaySeconds } from './retry-delay.ts';
import { sendInTurn, type Turns } from './transport.ts';

/** Whether a request that arrives now is accepted, if so many are allowed per second. Called in the order of the requests. */
type Limiter = (nowMs: number, perSecond: number) => boolean;

function fixedWindow(seconds = 1): Limiter {
  let [window, count] = [-1, 0];
  return (now, perSecond) => {
    const current = Math.floor(now / 1000 / seconds);
    if (current !== window) [window, count] = [current, 0];
    if (count >= perSecond * seconds) return false;
    count += 1;
    return true;
  };
}

function tokenBucket(): Limiter {
  let [tokens, filledMs] = [Infinity, 0];
  return (now, perSecond) => {
    tokens = Math.min(perSecond, tokens + ((now - filledMs) / 1000) * perSecond);
    filledMs = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

function slidingWindow(): Limiter {
  let accepted: number[] = [];
  return (now, perSecond) => {
    accepted = accepted.filter((at) => at > now - 1000);
    if (accepted.length >= perSecond) return false;
    accepted.push(now);
    return true;
  };
}

const limiters = {
  'a fixed window': () => fixedWindow(),
  'a token bucket': tokenBucket,
  'a sliding window': slidingWindow,
};

const cases = Object.entries(limiters).flatMap(([name, limiter]) => [
  { name: `${name} that does not say when`, limiter, headers: {} },
  { name: `${name} with Retry-After`, limiter, headers: { 'retry-after': '1' } },
]);

interface Simulation {
  /** Requests that are accepted in the end. */
  readonly requests: number;
  /** Requests per second, at a time. */
  readonly limit: (nowMs: number) => number;
  /** Of refusals. */
  readonly headers: Record<string, string>;
}

const SENDERS = 16;
const LATENCY_MS = 100;

/** Returns when requests were accepted, in milliseconds, and which share of all that were sent was refused. */
async function simulate(limiter: Limiter, { requests, limit, headers }: Simulation) {
  const clock = virtualClock();
  const pace = createPace(0, clock);
  const refusalLimit = createRefusalLimit(() => clock.now());
  const turns: Turns = { pace, gate: createGate(SENDERS), stopped: new AbortController().signal };
  const acceptedMs: number[] = [];
  let refusedCount = 0;
  async function respond() {
    await clock.wait(LATENCY_MS / 2);
    const isAccepted = limiter(clock.now(), limit(clock.now()));
    if (isAccepted) acceptedMs.push(clock.now());
    else refusedCount += 1;
    await clock.wait(LATENCY_MS / 2);
    return isAccepted ? { status: 200, headers: {} } : { status: 429, headers };
  }
  async function send(): Promise<void> {
    for (let waits = 0; ; waits += 1) {
      const response = await sendInTurn(turns, waits > 0 ? 'again' : 'normal', respond);
      refusalLimit.note(response.status !== 200);
      if (response.status === 200) return;
      const seconds = retryDelaySeconds({ method: 'GET' }, response, waits, refusalLimit);
      if (seconds === undefined) throw new Error('A request was refused too often.');
      refusalLimit.noteWait(seconds * 1000);
      pace.pause(seconds * 1000);
    }
  }
  await clock.run(Promise.all(Array.from({ length: requests }, send)));
  return { acceptedMs, refusedShare: refusedCount / (requests + refusedCount), seconds: clock.now() / 1000 };
}

test.each(cases)('$name: a run takes at most 8 % longer than the limit requires', async ({ limiter, headers }) => {
  const [requests, perSecond] = [3000, 20];
  const { seconds, refusedShare } = await simulate(limiter(), { requests, limit: () => perSecond, headers });
  expect(seconds / (requests / perSecond)).toBeLessThan(1.08);
  expect(refusedShare).toBeLessThan(0.03);
});

test.each([{}, { 'retry-after': '0' }])(
  'a fixed window of a minute with the headers %j: no request is given up',
  async (headers) => {
    const { seconds } = await simulate(fixedWindow(60), { requests: 3000, limit: () => 10, headers });
    expect(seconds).toBeLessThan(3000 / 10);
  },
);

/** The limit changes at this time. */
const CHANGE_MS = 100_000;

test.each(
  cases.flatMap((each) => [
    { ...each, from: 20, to: 40, withinSeconds: 60 },
    { ...each, from: 20, to: 10, withinSeconds: 30 },
  ]),
)(
  '$name: the rate adapts if the limit changes from $from to $to',
  async ({ limiter, headers, from, to, withinSeconds }) => {
    const limit = (now: number): number => (now < CHANGE_MS ? from : to);
    const requests = (from * CHANGE_MS) / 1000 + to * 120;
    const { acceptedMs, refusedShare } = await simulate(limiter(), { requests, limit, headers });
    const start = CHANGE_MS + withinSeconds * 1000;
    const accepted = acceptedMs.filter((at) => at >= start && at < start + 30_000).length;
    expect(accepted / 30 / to).toBeGreaterThan(0.85);
    expect(refusedShare).toBeLessThan(0.03);
  },
);
