import { expect, test } from 'vitest';
import { startMock } from '../start-mock.ts';
import { httpDate } from './http-date.ts';

test('a date has whole seconds', () => {
  expect(httpDate(784_111_777_999)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(httpDate(784_111_778_000)).toBe('Sun, 06 Nov 1994 08:49:38 GMT');
});

test('the Date header of responses is the virtual time', async () => {
  await using mock = await startMock({ now: '2026-03-01T12:00:00Z', clock: 'frozen' });
  const dateOf = async (path: string) => (await fetch(mock.addresses.host + path)).headers.get('date');
  expect(await dateOf('/v0/agents')).toBe('Sun, 01 Mar 2026 12:00:00 GMT');
  await mock.clock.advance('1h');
  expect(await dateOf('/_mock/health')).toBe('Sun, 01 Mar 2026 13:00:00 GMT');
});
