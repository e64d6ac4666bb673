import { expect, test } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import { status } from '../expect/status.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext, testExchange } from '../testing/test-run.ts';
import { describeRepetition } from './repeated-request.ts';
import { runCase } from './run-case.ts';

const repetition = (method: string, code: number, ...repeatedAfter: ('no response' | number)[]) =>
  describeRepetition({
    ...testExchange,
    request: { ...testExchange.request, method },
    response: { ...testExchange.response, status: code },
    repeatedAfter,
  });

test.each([
  ['PUT', 503, [503, 503, 503]],
  ['PUT', 400, ['no response', 503]],
  ['POST', 503, [503, 503, 503]],
  ['POST', 422, [503]],
  ['POST', 422, []],
  ['DELETE', 404, [503]],
  ['DELETE', 500, ['no response']],
  ['GET', 404, ['no response']],
] as const)('%s that gets %d after %j is judged', (method, code, before) => {
  expect(repetition(method, code, ...before)).toBeUndefined();
});

test.each([
  ['POST', 409, [503], 'a response was 503'],
  ['POST', 422, [502], 'a response was 502'],
  ['POST', 201, ['no response'], 'the connection broke'],
  ['POST', 400, [503, 'no response'], 'the connection broke'],
  ['PATCH', 504, [504], 'a response was 504'],
  ['DELETE', 404, ['no response'], 'the connection broke'],
  ['DELETE', 410, [504], 'a response was 504'],
] as const)('%s that gets %d after %j is not judged', (method, code, before, what) => {
  expect(repetition(method, code, ...before)).toBe(
    `${what} and a ${method} request was sent again, although an earlier one may have had its effect`,
  );
});

const unavailable = { status: 503, headers: { 'Retry-After': '0' } };
const update = { path: { agentName: 'a' }, body: { metadata: { name: 'a' }, spec: {} } };

test.each([
  ['always gets 503', [unavailable, unavailable, unavailable, unavailable]],
  ['is refused after 503', [unavailable, { status: 402 }]],
  ['is refused after a broken connection', ['break', { status: 402 }]],
] as const)('a case fails if its PUT %s', async (_, responses) => {
  let count = 0;
  await using server = await localServer(() => responses[(count += 1) - 1]!);
  const { context, close } = openTestContext({ address: server.address, allow: 'write' });
  const outcome = await runCase(
    {
      rule: requirement('agents.triggers.timeout-at-most-900'),
      try: async (run) => run.check(status(await run.client.call('updateAgent', update), 200)),
    },
    { ...context, target: { ...context.target, resources: { agent: 'a' } } },
  ).finally(close);
  expect([outcome.result.verdict, count]).toEqual(['failed', responses.length]);
});
