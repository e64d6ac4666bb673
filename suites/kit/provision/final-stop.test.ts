import { expect, test } from 'vitest';
import { newStop } from './final-stop.ts';

/** Updates that disable and enable an agent in turn, in milliseconds. The last one disables it. */
const UPDATES = [0, 300, 900];
const DEPLOYMENTS: Readonly<Record<string, number[]>> = {
  'at the same time': UPDATES.map((at) => at + 2000),
  'one after the other': UPDATES.map((_, index) => (index + 1) * 2000),
};

const POLLS = [20, 150, 700, 1000].flatMap((intervalMs) => [
  { intervalMs, slowestMs: Infinity },
  { intervalMs, slowestMs: 1800 },
]);

test.each(Object.entries(DEPLOYMENTS))(
  'deployments %s: only the last disabling one is the final stop',
  (_, effects) => {
    const isServedAt = (now: number): boolean => effects.filter((at) => at <= now).length % 2 === 0;
    for (const { intervalMs, slowestMs } of POLLS) {
      const stop = newStop(0, slowestMs);
      let now = 900;
      while (!stop.isFinal(isServedAt(now), now)) now += intervalMs;
      expect(now).toBeGreaterThanOrEqual(effects.at(-1) ?? Infinity);
    }
  },
);
