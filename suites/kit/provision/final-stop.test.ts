import { expect, test } from 'vitest';
import { newStop } from './final-stop.ts';

/** Updates that disable and enable an agent in turn, in milliseconds. The last one disables it. */
const UPDATES = [0, 300, 900];
const DEPLOYMENTS: Readonly<Record<string, number[]>> = {
  'at the same time': UPDATES.map((at) => at + 2000),
  'one after the other': UPDATES.map((_, index) => (index + 1) * 2000),
};

const POLLS = [20, 150, 700, 1000].flatMap((intervalMs) => [
  { intervalMs, maxMs: 20_000 },
  { intervalMs, maxMs: 4600 },
]);

test.each(Object.entries(DEPLOYMENTS))(
  'deployments %s: only the last disabling one is the final stop',
  (_, effects) => {
    const isServedAt = (now: number): boolean => effects.filter((at) => at <= now).length % 2 === 0;
    for (const { intervalMs, maxMs } of POLLS) {
      const stop = newStop({ disabledMs: 0, longestMs: 300, maxMs });
      let now = 900;
      while (!stop.isFinal(isServedAt(now), now)) now += intervalMs;
      expect(now).toBeGreaterThanOrEqual(effects.at(-1) ?? Infinity);
    }
  },
);

test('a disabling update of long ago does not prolong the wait', () => {
  const stop = newStop({ disabledMs: 0, longestMs: 300, maxMs: 5000 });
  expect(stop.isFinal(false, 100_000)).toBe(false);
  expect(stop.isFinal(false, 105_000)).toBe(true);
});
