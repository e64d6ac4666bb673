import { describe, expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { judgeExchanges, type Described } from '../testing/judge-exchanges.ts';

// Loads the suite files, which register the judgements.
await collectCases([
  'versions.default.absent-header-means-earliest-stable',
  'versions.header.name-any-case',
  'versions.listed.accepted-everywhere',
  'versions.unknown.preview-refused',
]);

const refusal = {
  status: 400,
  received: { error: 'invalid_api_version', message: 'Unknown version "latest". Valid versions: 2026-04-16.' },
};
const as = { credential: 'SVC_ADMIN_TOKEN' };
const accounts = (version: string | undefined, more: Partial<Described> = {}): Described => ({
  url: '/accounts',
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
    expect(judgeExchanges(rule, [accounts(version)])).toEqual(['breaks']);
    expect(judgeExchanges(rule, [accounts(version, refusal)])).toEqual(['keeps']);
    for (const other of [undefined, '', '2026-04-16', '2026-04-16, 2026-04-17'])
      expect(judgeExchanges(rule, [accounts(other)])).toEqual(['says nothing']);
  });

  test.each([401, 403, 404, 409, 429, 500, 503])('may be refused with %i for another reason', (status) => {
    const given = accounts('latest', { status, received: { error: 'other' } });
    expect(judgeExchanges('versions.unknown.malformed-refused', [given])).toEqual(['says nothing']);
  });

  test('gets another error with a body that may be invalid as well', () => {
    const other = { status: 400, received: { error: 'invalid_request' } };
    const create = accounts('latest', { method: 'POST', url: '/vpcs', sentText: '{}', ...other });
    expect(judgeExchanges('versions.unknown.malformed-refused', [create])).toEqual(['says nothing']);
    expect(judgeExchanges('versions.unknown.malformed-refused', [accounts('latest', other)])).toEqual(['breaks']);
  });
});

test('the listed version is refused only if the error says so', () => {
  const rule = 'versions.listed.accepted-everywhere';
  expect(judgeExchanges(rule, [accounts('2026-04-16', refusal)])).toEqual(['breaks']);
  expect(judgeExchanges(rule, [accounts('2026-04-16', { status: 400, received: {} })])).toEqual(['says nothing']);
});

test('another spelling of the header must be read if one spelling is', () => {
  const rule = 'versions.header.name-any-case';
  const upper = { ...accounts(undefined), headers: { 'SVC-VERSION': 'latest' } };
  expect(judgeExchanges(rule, [accounts('latest', refusal), upper])).toEqual(['says nothing', 'breaks']);
  expect(judgeExchanges(rule, [accounts('latest'), upper])).toEqual(['says nothing', 'says nothing']);
  expect(judgeExchanges(rule, [accounts('v1', refusal), upper])).toEqual(['says nothing', 'says nothing']);
});

describe('without a version', () => {
  const rule = 'versions.default.absent-header-means-earliest-stable';
  const [absent, named] = [
    accounts(undefined, { received: [{}] }),
    accounts('2026-04-16', { received: [{ id: 'a' }] }),
  ];

  test('none may be refused', () => {
    expect(judgeExchanges(rule, [accounts(undefined, refusal)])).toEqual(['breaks']);
  });

  test('a response that always has another shape than with the version is a violation', () => {
    const pairs = Array.from({ length: 4 }, () => [absent, named]).flat();
    expect(judgeExchanges(rule, pairs).at(-1)).toBe('breaks');
  });

  test('a response that has changed since then is not', () => {
    expect(judgeExchanges(rule, [absent, absent, absent, named, named, named]).at(-1)).toBe('says nothing');
    expect(
      judgeExchanges(rule, [absent, named, { ...named, ...accounts(undefined, { received: [{ id: 'b' }] }) }]),
    ).toEqual(['says nothing', 'says nothing', 'keeps']);
  });

  test('a response to other labels may have another shape', () => {
    const create = (version: string | undefined, labels: object) =>
      accounts(version, {
        method: 'POST',
        url: '/vpcs',
        sentText: JSON.stringify({ metadata: { name: 'a', labels } }),
        received: { metadata: { name: 'a', labels } },
      });
    const pairs = Array.from({ length: 4 }, () => [create(undefined, { team: 'a' }), create('2026-04-16', {})]).flat();
    expect(judgeExchanges(rule, pairs).at(-1)).toBe('says nothing');
  });
});
