import { Cron } from 'croner';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { cronCalendar } from './cron-calendar.ts';

const list = (min: number, max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((values) => values.join(',')),
    fc.integer({ min: 2, max: 6 }).map((step) => `*/${step}`),
  );
const expression = fc
  .tuple(
    list(0, 59),
    list(0, 23),
    fc.oneof(list(1, 31), fc.constantFrom('L', 'LW', '1W', '15W', '31W', '?')),
    list(1, 12),
    fc.oneof(list(0, 6), fc.constantFrom('MON#1', 'FRI#5', 'SUN#L', '5L', 'MON-FRI', '+MON', '7', '?')),
  )
  .map((fields) => fields.join(' '));

test('the instants are those of croner', { timeout: 60_000 }, () => {
  const start = fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2090, 0, 1) / 1000 });
  fc.assert(
    fc.property(expression, start, (schedule, from) => {
      const cron = new Cron(schedule, { mode: '5-part', sloppyRanges: true, paused: true, utcOffset: 0 });
      const instants: number[] = [];
      for (let at = from - 1; instants.length < 12;) {
        const next = cron.nextRun(new Date(at * 1000));
        if (next === null) break;
        instants.push((at = next.getTime() / 1000));
      }
      const calendar = cronCalendar(schedule);
      const last = instants.at(-1) ?? from;
      expect(calendar.between(from, last + 1)).toEqual(instants);
      expect(calendar.before(last + 1) - calendar.before(from)).toBe(instants.length);
    }),
    { numRuns: 200 },
  );
});

test('a window of ten thousand years takes no longer than one of a day', () => {
  const calendar = cronCalendar('*/30 * * * *');
  const [start, end] = [Date.UTC(0, 0, 1) / 1000, Date.UTC(9999, 11, 31) / 1000];
  expect(calendar.before(end) - calendar.before(start)).toBe(((end - start) / 1800) | 0);
});
