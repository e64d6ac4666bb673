import { expect, test } from 'vitest';
import type { MustId } from '../../spec/requirements/index.ts';
import { openJudgeBook } from '../judge/judge-book.ts';
import { testExchange, testTarget } from '../testing/test-run.ts';
import { collectCases } from '../engine/collect-cases.ts';

// Loads the suite files of these rules.
await collectCases(['metrics.accounts.foreign-refused', 'accounts.list.gives-account-id']);

const admin = { name: 'ADMIN', value: 'secret-of-the-admin' };
const ADDRESS = 'http://localhost:1';
const target = testTarget({ address: ADDRESS, target: { account: 'acc-1', credentials: { admin, scoped: {} } } });

/** The rules that each response to an admin breaks. */
function brokenBy(
  ...sent: readonly (readonly [path: string, json: unknown, sentAt?: number])[]
): (readonly MustId[])[] {
  const book = openJudgeBook(target);
  return sent.map(([path, json, sentAt = 1000], index) => {
    const exchange = {
      ...testExchange,
      surface: 'management' as const,
      credential: 'ADMIN',
      request: { method: 'GET', url: `${ADDRESS}/v0${path}`, headers: { authorization: 'Bearer $ADMIN' } },
      response: { status: 200, headers: {}, text: JSON.stringify(json), json },
      sentAt: index * sentAt,
    };
    return [...book.judge(exchange).keys()];
  });
}

const types = ['/accounts/acc-2/metrics/enums/resource-types', { values: ['agent'] }] as const;
const foreign: MustId = 'metrics.accounts.foreign-refused';

test('an account that a complete list does not have is foreign', () => {
  expect(brokenBy(['/accounts', [{ id: 'acc-1' }]], types)[1]).toContain(foreign);
});

test('the caller may have got another account since the list was read', () => {
  expect(brokenBy(['/accounts', [{ id: 'acc-1' }]], [...types, 60_000])[1]).not.toContain(foreign);
});

test.each([
  ['may have further pages', '/accounts', { values: [{ id: 'acc-1' }], nextCursor: 'c' }],
  ['is filtered', '/accounts?name=a', [{ id: 'acc-1' }]],
])('a list that %s says nothing about other accounts', (_, path, list) => {
  expect(brokenBy([path, list], types)[1]).not.toContain(foreign);
});

test('a filtered list may be empty', () => {
  const rule: MustId = 'accounts.list.gives-account-id';
  expect(brokenBy(['/accounts', []])[0]).toContain(rule);
  expect(brokenBy(['/accounts?name=a', []])[0]).not.toContain(rule);
});
