import { expect, test } from 'vitest';
import { checkClock } from './timing.ts';

const NOW = Date.parse('2026-11-24T07:00:00.500Z');
const clockAt = (date: string | undefined) =>
  checkClock({ headers: date === undefined ? {} : { date }, startMs: NOW, endMs: NOW + 200 });

test.each([
  ['the same second', 'Tue, 24 Nov 2026 07:00:00 GMT', 'passed', /agrees/],
  ['a few seconds ahead', 'Tue, 24 Nov 2026 07:00:05 GMT', 'passed', /4 s ahead of/],
  ['a minute behind', 'Tue, 24 Nov 2026 06:59:00 GMT', 'failed', /60 s behind/],
  ['an hour ahead', 'Tue, 24 Nov 2026 08:00:00 GMT', 'failed', /3599 s ahead of/],
  ['no Date header', undefined, 'skipped', /no Date header/],
])('%s', (_, date, outcome, found) => {
  const check = clockAt(date);
  expect(check.outcome).toBe(outcome);
  expect(check.found).toMatch(found);
});
