import { expect, test } from 'vitest';
import { requestLine } from './request-log.ts';

const request = { method: 'GET', url: '/v0/agents', status: 200, durationMs: 1.26 };

test.each([
  ['a success', {}, 'GET /v0/agents 200 1.3 ms'],
  ['a slow request', { durationMs: 1234.5 }, 'GET /v0/agents 200 1235 ms'],
  ['a refusal', { status: 404, reason: 'No such agent.' }, 'GET /v0/agents 404 1.3 ms: No such agent.'],
  [
    'control characters',
    { status: 400, reason: 'a\nGET /v0 200\u001b[2J' },
    String.raw`GET /v0/agents 400 1.3 ms: a\nGET /v0 200\u001b[2J`,
  ],
])('%s is one line', (_, differs, line) => {
  expect(requestLine({ ...request, ...differs })).toBe(line);
});

test('a dropped connection has no status', () => {
  const { status: _, ...dropped } = request;
  expect(requestLine(dropped)).toBe('GET /v0/agents connection dropped 1.3 ms');
});

test('long paths and reasons are shortened', () => {
  expect(requestLine({ ...request, url: `/${'a'.repeat(9000)}`, reason: 'b'.repeat(9000) }).length).toBeLessThan(700);
});
