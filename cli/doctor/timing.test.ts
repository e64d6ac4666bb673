import { afterEach, expect, test, vi } from 'vitest';
import { encoded } from '../../suites/generators/tampered-jwt.ts';
import { testTarget } from '../../suites/testing/test-run.ts';
import type { ProbeResponse, Prober } from './prober.ts';
import { checkClock, checkTiming } from './timing.ts';

afterEach(() => void vi.useRealTimers());

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

/** Each request takes 100 ms. */
async function lifetimeChecks(seconds: number) {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  const response: ProbeResponse = {
    status: 200,
    headers: {},
    text: '[]',
    startMs: NOW,
    endMs: NOW + 100,
    request: 'GET /accounts',
  };
  const prober: Prober = { call: async () => response, get: async () => response };
  const token = [encoded({ alg: 'HS256' }), encoded({ exp: Math.floor(NOW / 1000) + seconds }), 'c2ln'].join('.');
  const credentials = { admin: { value: token, name: 'SVC_ADMIN_TOKEN' }, scoped: {} };
  const checks = await checkTiming(testTarget({ address: 'http://127.0.0.1:9', target: { credentials } }), prober);
  return checks.filter(({ subject }) => subject.startsWith('lifetime'));
}

test('a credential that ends before a run does is a warning', async () => {
  expect(await lifetimeChecks(10)).toEqual([
    {
      outcome: 'warning',
      subject: 'lifetime of credentials.admin',
      found: expect.stringMatching(
        /^ends at 2026-11-24T07:00:10Z, in 10 s; a run takes about \d+ (?:s|min)$/,
      ) as string,
      advice: expect.stringContaining('use a token that lasts longer') as string,
    },
  ]);
  expect(await lifetimeChecks(86_400)).toEqual([]);
});
