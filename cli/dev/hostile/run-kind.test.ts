import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Kind } from './attack.ts';
import { runKind } from './run-kind.ts';
import { shrinkViolation } from './shrink.ts';

/** A server that responds to numbers above the limit with an error. */
function numbers(limit: number, sent: number[] = []): Kind {
  const attacks = fc.nat({ max: 1000 }).map((number) => ({
    what: 'number',
    send: async () => {
      sent.push(number);
      return { statuses: [number > limit ? 500 : 200], hangs: false, isClosed: false };
    },
    describe: () => `send ${number}`,
  }));
  return { name: 'numbers', attacks, requestsPerAttack: 1, concurrency: 1, close: async () => {} };
}

test('the same seed sends the same, also from the middle on', async () => {
  const all: number[] = [];
  const rest: number[] = [];
  await runKind(numbers(1000, all), { seed: 3, from: 0, to: 1000 });
  await runKind(numbers(1000, rest), { seed: 3, from: 730, to: 1000 });
  expect(all).toHaveLength(1000);
  expect(rest).toEqual(all.slice(730));
  expect(new Set(all).size).toBeGreaterThan(500);
});

test('server errors are counted, and the first is shrunk', async () => {
  const kind = numbers(900);
  const { requests, serverErrors, violations } = await runKind(kind, { seed: 3, from: 0, to: 1000 });
  expect(requests).toBe(1000);
  expect(serverErrors.get('number')).toBeGreaterThan(20);
  expect(violations).toEqual([expect.objectContaining({ kind: 'numbers', what: 'number', problem: 'status 500' })]);
  const [first] = violations;
  expect(first && (await shrinkViolation(kind, first, async () => {}))).toBe('send 901');
});

test('the documented 503 is no server error', async () => {
  const kind = numbers(1000);
  const unavailable = kind.attacks.map((attack) => ({
    ...attack,
    send: async () => ({ statuses: [503], hangs: false, isClosed: false }),
  }));
  const tally = await runKind({ ...kind, attacks: unavailable }, { seed: 1, from: 0, to: 20 });
  expect([tally.documented503, tally.serverErrors.size, tally.violations]).toEqual([20, 0, []]);
});
