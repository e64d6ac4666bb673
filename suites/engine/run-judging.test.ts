import { expect, test } from 'vitest';
import { testExchange, testTarget } from '../testing/test-run.ts';
import type { Exchange } from '../target/exchange.ts';
import { collectCases } from './collect-cases.ts';
import { createRunJudging } from './run-judging.ts';

const RULE = 'errors.management.is-json';
await collectCases([RULE]);
const address = 'http://127.0.0.1:1';

const json = { error: 'invalid_api_version', message: 'unknown', versions: ['2026-04-28'] };

/** Its Content-Type is wrong. */
const refusalOf = (path: string): Exchange => ({
  ...testExchange,
  surface: 'management',
  request: { method: 'GET', url: `${address}/v0${path}`, headers: { 'Svc-Version': '1999-01-01' } },
  response: { status: 400, headers: { 'content-type': 'text/html' }, text: JSON.stringify(json), json },
});

test.each([
  ['all', undefined, '/integrations/slack'],
  ['only the second', ['listAccounts'] as const, '/accounts'],
  ['none', ['createVpc'] as const, undefined],
])('of two exchanges that violate a rule, with %s of their operations declared', (_, operations, path) => {
  const target = testTarget({ address, ...(operations && { target: { operations } }) });
  const judging = createRunJudging(target);
  for (const each of ['/integrations/slack', '/accounts']) judging.see(refusalOf(each), RULE);
  const [found] = judging.violationOf(RULE, () => false) ?? [];
  expect(found?.exchange.request.url).toBe(path && `${address}/v0${path}`);
  const [other] = judging.undeclaredOf(RULE, () => false);
  expect(other).toEqual(operations && { id: 'getIntegration', status: 400 });
});
