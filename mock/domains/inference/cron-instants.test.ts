import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCron } from '../resources/rules/cron.ts';
import { addInstant, instantsOf } from './cron-instants.ts';
import { type Run } from '../resources/uses.ts';

const START = Date.parse('2026-11-21T07:00:30Z');
const DAY = 86_400_000;

const schedule = fc.constantFrom(
  '17 * * * *',
  '*/7 9-17 * * 1-5',
  '0 0 * * *',
  '59 23 * * *',
  '30 6 31 * *',
  '0 12 29 2 *',
  '5,6,50 3,21 1 * 1',
);

test('over many days the instants equal those computed one by one', () => {
  const span = { after: fc.nat(400 * DAY), days: fc.integer({ min: 0, max: 40 }), rest: fc.nat(DAY) };
  fc.assert(
    fc.property(schedule, fc.record(span), (expression, { after, days, rest }) => {
      const [from, until] = [START + after, START + after + days * DAY + rest];
      const cron = readCron(expression);
      const oneByOne: number[] = [];
      for (let at = cron.nextRun(new Date(from)); at !== null && at.getTime() <= until; at = cron.nextRun(at))
        oneByOne.push(at.getTime());
      expect([...instantsOf(cron, from, until)]).toEqual(oneByOne);
    }),
    { numRuns: 50 },
  );
});

test('runs contain the instants that were added, and equally spaced instants form one run', () => {
  const steps = fc.array(fc.constantFrom(1, 2, 60), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(steps, (gaps) => {
      const instants = gaps.map((_, nth) => gaps.slice(0, nth + 1).reduce<number>((sum, gap) => sum + gap, 0));
      const runs: Run[] = [];
      for (const at of instants) addInstant(runs, at);
      const held = runs.flatMap(({ first, everyMs, times }) =>
        Array.from({ length: times }, (_, nth) => first + nth * everyMs),
      );
      expect(held).toEqual(instants);
    }),
  );
});

test('equally spaced instants form one run', () => {
  const runs: Run[] = [];
  for (const at of [5, 8, 11, 14, 20]) addInstant(runs, at);
  expect(runs).toEqual([
    { first: 5, everyMs: 3, times: 4 },
    { first: 20, everyMs: 0, times: 1 },
  ]);
});
