import { describe, expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Given } from '../testing/judge-exchanges.ts';

// Loads the suite files, which register the judgements.
await collectCases([
  'versions.default.absent-header-means-earliest-stable',
  'versions.header.name-any-case',
  'versions.listed.accepted-everywhere',
  'versions.unknown.preview-refused',
]);

const refusal = {
  status: 400,
  body: { error: 'invalid_api_version', message: 'Unknown version "latest". Valid versions: 2026-04-16.' },
};
const as = { credential: 'SVC_ADMIN_TOKEN' };
const accounts = (version: string | undefined, more: Partial<Given> = {}): Given => ({
  path: '/v0/accounts',
  headers: { authorization: 'a', ...(version !== undefined && { 'svc-version': version }) },
  ...as,
  ...more,
});

describe('an unlisted version', () => {
  test.each([
    ['versions.unknown.stable-date-refused', '2026-04-17'],
    ['versions.unknown.preview-refused', '2026-04-16.preview'],
    ['versions.unknown.malformed-refused', '2026-02-30'],
    ['versions.unknown.malformed-refused', 'latest'],
  ] as const)('is judged by %s: %s', (rule, version) => {
    expect(judgeExchanges(rule, [accounts(version)])).toEqual(['violated']);
    expect(judgeExchanges(rule, [accounts(version, refusal)])).toEqual(['valid']);
    for (const other of [undefined, '', '2026-04-16', '2026-04-16, 2026-04-17'])
      expect(judgeExchanges(rule, [accounts(other)])).toEqual([undefined]);
  });

  test.each([401, 403, 404, 409, 429, 500, 503])('may be refused with %i for another reason', (status) => {
    const given = accounts('latest', { status, body: { error: 'other' } });
    expect(judgeExchanges('versions.unknown.malformed-refused', [given])).toEqual([undefined]);
  });

  test('gets another error with a body that may be invalid as well', () => {
    const other = { status: 400, body: { error: 'invalid_request' } };
    const create = accounts('latest', { method: 'POST', path: '/v0/vpcs', sent: '{}', ...other });
    expect(judgeExchanges('versions.unknown.malformed-refused', [create])).toEqual([undefined]);
    expect(judgeExchanges('versions.unknown.malformed-refused', [accounts('latest', other)])).toEqual(['violated']);
  });
});

test('the listed version is refused only if the error says so', () => {
  const rule = 'versions.listed.accepted-everywhere';
  expect(judgeExchanges(rule, [accounts('2026-04-16', refusal)])).toEqual(['violated']);
  expect(judgeExchanges(rule, [accounts('2026-04-16', { status: 400, body: {} })])).toEqual([undefined]);
});

test('another spelling of the header must be read if one spelling is', () => {
  const rule = 'versions.header.name-any-case';
  const upper = { ...accounts(undefined), headers: { 'SVC-VERSION': 'latest' } };
  expect(judgeExchanges(rule, [accounts('latest', refusal), upper])).toEqual([undefined, 'violated']);
  expect(judgeExchanges(rule, [accounts('latest'), upper])).toEqual([undefined, undefined]);
  expect(judgeExchanges(rule, [accounts('v1', refusal), upper])).toEqual([undefined, undefined]);
});

describe('without a version', () => {
  const rule = 'versions.default.absent-header-means-earliest-stable';
  const [absent, named] = [accounts(undefined, { body: [{}] }), accounts('2026-04-16', { body: [{ id: 'a' }] })];

  test('none may be refused', () => {
    expect(judgeExchanges(rule, [accounts(undefined, refusal)])).toEqual(['violated']);
  });

  test('a response that always has another shape than with the version is a violation', () => {
    const pairs = Array.from({ length: 4 }, () => [absent, named]).flat();
    expect(judgeExchanges(rule, pairs).at(-1)).toBe('violated');
  });

  test('a response that has changed since then is not', () => {
    expect(judgeExchanges(rule, [absent, absent, absent, named, named, named]).at(-1)).toBeUndefined();
    expect(
      judgeExchanges(rule, [absent, named, { ...named, ...accounts(undefined, { body: [{ id: 'b' }] }) }]),
    ).toEqual([undefined, undefined, 'valid']);
  });

  test('a response to other labels may have another shape', () => {
    const create = (version: string | undefined, labels: object) =>
      accounts(version, {
        method: 'POST',
        path: '/v0/vpcs',
        sent: JSON.stringify({ metadata: { name: 'a', labels } }),
        body: { metadata: { name: 'a', labels } },
      });
    const pairs = Array.from({ length: 4 }, () => [create(undefined, { team: 'a' }), create('2026-04-16', {})]).flat();
    expect(judgeExchanges(rule, pairs).at(-1)).toBeUndefined();
  });
});
