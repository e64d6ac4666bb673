import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import type { HttpResponse } from '../target/exchange.ts';
import { compareResponses, reasonOf } from './compare-responses.ts';
import { neutralizer } from './neutral.ts';
import { sameRules } from './same-rules.ts';

const responseOf = (json: unknown, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify(json),
  json,
});

interface Options {
  readonly operation?: OperationId;
  readonly status?: number;
  readonly sent?: unknown;
  readonly hasSameUsage?: boolean;
}

function compare(
  a: unknown,
  b: unknown,
  { operation = 'updateAgent', status = 200, sent, hasSameUsage = false }: Options = {},
) {
  const side = (json: unknown, letter: string) => ({
    response: responseOf(json, status),
    prefix: `assay-${letter}-`,
    neutral: neutralizer({ workspace: letter === 'a' ? 'demo' : 'tide' }, `assay-${letter}-`),
  });
  const { differences, alike } = compareResponses({ operation, sent, hasSameUsage }, side(a, 'a'), side(b, 'b'));
  return { at: differences.map((each) => each.at), rules: alike.map(({ rule }) => rule) };
}

describe('values that may differ', () => {
  test.each<[string, unknown, unknown, Options?]>([
    [
      'own words',
      { metadata: { name: 'assay-a-1', workspace: 'demo' } },
      { metadata: { name: 'assay-b-1', workspace: 'tide' } },
    ],
    [
      'time',
      { metadata: { createdAt: '2026-10-01T00:00:00Z' } },
      { metadata: { createdAt: '2026-10-01T00:00:01.5Z' } },
    ],
    ['generated id', { spec: { triggers: [{ id: 'a1' }] } }, { spec: { triggers: [{ id: 'b2' }] } }],
    ['deployment status', { status: 'DEPLOYED' }, { status: 'BUILDING' }],
    ['additional field', { metadata: {}, extra: 1 }, { metadata: {} }],
    ['not sent', { spec: { enabled: true } }, { spec: {} }, { sent: { spec: {} } }],
    ['order', { spec: { policies: ['a', 'b'] } }, { spec: { policies: ['b', 'a'] } }],
    ['absent and empty', { metadata: { labels: {} } }, { metadata: {} }, { sent: { metadata: { labels: {} } } }],
    ['description', { message: 'Not found.' }, { message: 'no such agent' }, { status: 404 }],
    ['code of an error', { error: 'e', code: 404 }, { error: 'e' }, { status: 404 }],
    [
      'own list',
      [{ name: 'assay-a-1' }, { name: 'x' }],
      { data: [{ name: 'assay-b-1' }] },
      { operation: 'listAgents' },
    ],
    ['figure', { summary: { totalCost: 1 } }, { summary: { totalCost: 2 } }, { operation: 'getAccountMetrics' }],
    ['token type', { token_type: 'Bearer' }, { token_type: 'bearer' }, { operation: 'requestToken' }],
  ])('%s', (rule, a, b, options) => {
    const found = compare(a, b, options);
    expect(found.at).toEqual([]);
    expect(found.rules).toContain(rule);
    expect(reasonOf(rule)).toMatch(/\.$/);
  });
});

describe('values that differ', () => {
  test.each<[string, unknown, unknown, Options?]>([
    [
      'body.metadata.createdAt',
      { metadata: { createdAt: '2026-10-01T00:00:00Z' } },
      { metadata: { createdAt: 'now' } },
    ],
    ['body.metadata.name', { metadata: { name: 'assay-a-1' } }, { metadata: { name: 'assay-b-2' } }],
    ['body.status', { status: 'DEPLOYED' }, { status: 'UP' }],
    ['body.spec.enabled', { spec: { enabled: true } }, { spec: { enabled: false } }],
    ['body.spec.enabled', { spec: { enabled: true } }, { spec: {} }, { sent: { spec: { enabled: true } } }],
    ['body.spec.triggers', { spec: { triggers: [{}] } }, { spec: { triggers: [{}, {}] } }],
    ['body.message', { message: 'Access denied' }, { message: 'no' }, { operation: 'getAccountMetrics', status: 403 }],
    [
      'body.summary.totalCost',
      { summary: { totalCost: 1 } },
      { summary: { totalCost: '1' } },
      { operation: 'getAccountMetrics' },
    ],
    [
      'body.summary.totalCost',
      { summary: { totalCost: 1 } },
      { summary: { totalCost: 2 } },
      { operation: 'getAccountMetrics', hasSameUsage: true },
    ],
    [
      'body.startTime',
      { startTime: '2026-10-01T00:00:00Z' },
      { startTime: '2026-10-02T00:00:00Z' },
      { operation: 'getAccountMetrics' },
    ],
  ])('%s', (at, a, b, options) => {
    expect(compare(a, b, options).at).toEqual([at]);
  });

  test('if the status differs, the rest is not compared', () => {
    const side = (status: number) => ({ response: responseOf({ status }, status), prefix: 'p', neutral: String });
    const request = { operation: 'updateAgent', sent: undefined, hasSameUsage: false } as const;
    expect(compareResponses(request, side(200), side(400)).differences).toEqual([{ at: 'status', a: 200, b: 400 }]);
  });
});

test('every rule has an id of its own', () => {
  expect(new Set(sameRules.map(({ id }) => id)).size).toBe(sameRules.length);
});

test.each([
  ['https://client.test/cb?code=1&state=s', 'https://client.test/cb?state=s&code=2&iss=b', true],
  ['https://client.test/cb?code=1&state=s', 'https://client.test/cb?code=2', false],
  ['https://client.test/cb?code=1&state=s', 'https://client.test/cb?error=access_denied&state=s', false],
  ['https://client.test/cb?code=1&state=s', '/login', false],
  ['/login?session=1', 'https://other.test/signin?state=x', true],
])('redirections of the authorize endpoint to %s and %s', (a, b, isSame) => {
  const sideOf = (location: string) => ({
    response: { status: 302, headers: { location }, text: '', json: undefined },
    prefix: 'assay-',
    redirectUri: 'https://client.test/cb',
    neutral: (text: string) => text,
  });
  const request = { operation: 'authorize', sent: undefined, hasSameUsage: false } as const;
  const { differences } = compareResponses(request, sideOf(a), sideOf(b));
  expect(differences.length === 0).toBe(isSame);
});

test.each([
  [[{ id: 'acc-a' }, { id: 'acc-x' }], { items: [{ accountId: 'acc-b' }] }, true],
  [[{ id: 'acc-a' }], [{ id: 'acc-other' }], false],
  [[{ id: 'acc-a' }], [{ name: 'b', account: { id: 'acc-b' } }], true],
])('lists of accounts, %j and %j', (a, b, isSame) => {
  const sideOf = (json: unknown, account: string) => ({
    response: responseOf(json),
    prefix: 'assay-',
    account,
    neutral: (text: string) => text,
  });
  const request = { operation: 'listAccounts', sent: undefined, hasSameUsage: false } as const;
  const { differences } = compareResponses(request, sideOf(a, 'acc-a'), sideOf(b, 'acc-b'));
  expect(differences.length === 0).toBe(isSame);
});
