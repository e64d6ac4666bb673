import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { readAccount, type AccessWarning } from '../target/account.ts';
import { neededAccount } from '../target/needed-account.ts';
import { createTransport } from '../target/transport.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTestContext, testTarget } from '../testing/test-run.ts';

const RULE = 'accounts.list.gives-account-id';
const BIG = '9007199254740993123';

interface Lists {
  readonly [path: string]: LocalResponse;
}

const json = (body: unknown, headers: Record<string, string> = {}): LocalResponse => ({ body, headers });

/** A server whose metrics accept one account. */
const serverWith = (lists: Lists, account: string) =>
  localServer(({ url }) => {
    const [, id] = /\/accounts\/([^/]+)\/metrics/.exec(url) ?? [];
    if (id !== undefined) return { status: decodeURIComponent(id) === account ? 200 : 404, body: {} };
    return lists[url.replace('/v0', '')] ?? { status: 404 };
  });

async function resultOn(lists: Lists, account: string) {
  await using server = await serverWith(lists, account);
  const run = openTestContext({ address: server.address, target: { account } });
  const { result } = await runCase((await collectCases([RULE])).get(RULE)!, run.context);
  await run.close();
  const transport = createTransport({ rate: 0 });
  const { account: _, ...target } = testTarget({ address: server.address });
  const { account: read } = await readAccount(target, transport);
  await transport.close();
  return { verdict: result.verdict, read };
}

const closed = [{ id: 'acc-closed' }];
const link = (to: string) => ({ Link: `</v0/docs>; rel="help", <${to}>; rel="prev next"` });

const conforming: Record<string, readonly [lists: Lists, account: string]> = {
  'an integer of 64 bits': [{ '/accounts': { body: `[{"id": ${BIG}, "ownerId": 18446744073709551615}]` } }, BIG],
  'within the template of a link': [
    { '/accounts': json({ _links: { metrics: { href: '/v0/accounts/acc-1/metrics{?startTime,endTime}' } } }) },
    'acc-1',
  ],
  'in a parameter of a link': [
    { '/accounts': json([{ metrics: 'https://a.example/metrics?account=acc-1' }]) },
    'acc-1',
  ],
  'on the last of three pages': [
    {
      '/accounts': json(closed, link('?page=2')),
      '/accounts?page=2': json(closed, link('https://behind.example/v0/accounts?page=3')),
      '/accounts?page=3': json([{ id: 'acc-1' }]),
    },
    'acc-1',
  ],
};

test.each(Object.entries(conforming))('the account id may be %s', async (_, [lists, account]) => {
  expect(await resultOn(lists, account)).toEqual({ verdict: 'passed', read: account });
});

test.each([
  ['in its body', json({ values: closed, meta: { nextPageToken: 'p2' } })],
  ['with a Link to somewhere else', json(closed, link('https://behind.example/accounts?page=2'))],
  ['by a total and an offset', json({ total: 3, offset: 0, limit: 1, items: closed })],
  ['by a number of pages', json({ page: 1, totalPages: 3, items: closed })],
  ['by a count', json({ accounts: closed, totalCount: 3 })],
  ['by the size of a full page', json({ accounts: closed, pageSize: 1 })],
  ['in a header of its own', json(closed, { 'X-Total-Count': '3', 'X-Next-Page': '2' })],
  ['by its range', json(closed, { 'Content-Range': 'items 0-0/3' })],
])('a list that names a next page %s does not decide', async (_, list) => {
  expect(await resultOn({ '/accounts': list }, 'acc-1')).toEqual({ verdict: 'not-tried', read: undefined });
});

const severalClosed = [...closed, { id: 'acc-closed-2' }];
const whole = { total: 2, limit: 50, offset: 0, items: severalClosed };
const rounded = String(Number(BIG));

test.each([
  ['a whole list with its total', { '/accounts': json(whole) }],
  [
    'a whole list in a response with other headers',
    { '/accounts': json(severalClosed, { 'X-RateLimit-Limit': '2', 'Content-Range': 'items 0-1/2' }) },
  ],
  ['an empty next page', { '/accounts': json({ values: severalClosed, meta: { nextPageToken: '' } }) }],
  ['pages without it', { '/accounts': json(closed, link('?page=2')), '/accounts?page=2': json(closed) }],
] as const)('%s of several accounts lacks the account id, and the first is read', async (_, lists: Lists) => {
  expect(await resultOn(lists, 'acc-1')).toEqual({ verdict: 'failed', read: 'acc-closed' });
});

test.each([
  ['a rounded integer', { body: `[{"id": ${rounded}}]` }, BIG, rounded],
  ['a whole list with its total', json({ total: 1, limit: 50, offset: 0, items: closed }), 'acc-1', 'acc-closed'],
  [
    'a whole list in a response with other headers',
    json(closed, { 'X-RateLimit-Limit': '1', 'Content-Range': 'items 0-0/1' }),
    'acc-1',
    'acc-closed',
  ],
  ['an empty next page', json({ values: closed, meta: { nextPageToken: '' } }), 'acc-1', 'acc-closed'],
] as const)('%s of one account lacks the account id, and that account is read', async (_, list, account, read) => {
  expect(await resultOn({ '/accounts': list }, account)).toEqual({ verdict: 'failed', read });
});

test.each([
  ['like an unknown path', { status: 404 }],
  ['405', { status: 405, body: {} }],
])('the account of a server whose metrics return %s is the one that it lists', async (_, metrics) => {
  const list = json([{ metadata: { name: 'Team' }, id: 'acc-1' }]);
  await using server = await localServer(({ url }) => {
    if (url.endsWith('/accounts')) return list;
    return url.includes('/metrics') ? metrics : { status: 404 };
  });
  const transport = createTransport({ rate: 0 });
  const { account: _known, ...target } = testTarget({ address: server.address });
  expect(await readAccount(target, transport)).toEqual({ account: 'acc-1', isAccountListed: true });
  await transport.close();
});

test('a break after the metrics of an account does not make it another one', async () => {
  await using server = await localServer(({ url }) => {
    if (url.endsWith('/accounts')) return json([{ id: 'own' }, { id: 'team' }, { id: 'third' }]);
    if (url.includes('groupBy') || url.includes('third')) return 'break';
    return url.includes('/team/') ? { body: {} } : { status: 404 };
  });
  const transport = createTransport({ rate: 0 });
  const { account: _known, ...target } = testTarget({ address: server.address });
  const warnings: AccessWarning[] = [];
  const read = await readAccount(target, transport, (warning) => warnings.push(warning));
  expect({ read, warnings }).toEqual({ read: { account: 'team', isAccountListed: true }, warnings: [] });
  await transport.close();
});

test('the account of a target whose metrics have a limit is the one that it lists', async () => {
  await using server = await localServer(({ url }) =>
    url.endsWith('/accounts') ? json([{ id: 'own' }]) : { status: 429, headers: { 'Retry-After': '3600' } },
  );
  const transport = createTransport({ rate: 0 });
  const { account: _known, ...target } = testTarget({ address: server.address });
  expect(await readAccount(target, transport)).toEqual({ account: 'own', isAccountListed: true });
  await transport.close();
});

test.each([
  ['lists', json([{ id: 'acc-1' }]), { account: 'acc-1', isAccountListed: true }],
  ['lists by its name', json([{ name: 'acc-1' }]), { account: 'acc-1', isAccountListed: true }],
  ['lists by another key', json([{ slug: 'acc-1' }]), { account: 'acc-1', isAccountListed: true }],
  ['lists under another id', json([{ id: 'acc-2', name: 'acc-1' }]), { account: 'acc-1' }],
  ['does not list', json([{ id: 'acc-2' }]), { account: 'acc-1' }],
  ['does not show', { status: 404 }, { account: 'acc-1' }],
])('the account of the target file, which the target %s', async (_, list, read) => {
  await using server = await localServer(({ url }) => (url.endsWith('/accounts') ? list : { status: 404 }));
  const transport = createTransport({ rate: 0 });
  expect(await readAccount(testTarget({ address: server.address }), transport)).toEqual(read);
  await transport.close();
});

test('the account is the first one that metrics accepted, although they break from then on', async () => {
  let count = 0;
  await using server = await localServer(({ url }) => {
    if (url.endsWith('/accounts')) return json([{ id: 'own' }, { id: 'team' }]);
    return (count += 1) === 1 ? { body: {} } : 'break';
  });
  const transport = createTransport({ rate: 0 });
  const { account: _known, ...target } = testTarget({ address: server.address });
  expect(await readAccount(target, transport)).toEqual({ account: 'own', isAccountListed: true });
  await transport.close();
});

test.each([
  ['500', { status: 500 }, 'GET /accounts returned 500'],
  ['404', { status: 404 }, 'GET /accounts returned 404'],
  ['no account', json([]), 'GET /accounts returned 200, and no account could be read from it'],
] as const)('rules that need the account say what GET /accounts returned: %s', async (_, list, found) => {
  await using server = await localServer(() => list);
  const transport = createTransport({ rate: 0 });
  const { account: _known, ...target } = testTarget({ address: server.address });
  const warnings: AccessWarning[] = [];
  const read = await readAccount(target, transport, (warning) => warnings.push(warning));
  expect(read).toEqual({ accountObstacle: found });
  expect(warnings).toEqual([expect.objectContaining({ sentence: expect.stringContaining(found) as string })]);
  expect(() => neededAccount({ ...target, ...read })).toThrow(
    `the account of the target (${found}): set account in the target file, or let GET /accounts list it for a credential of the file`,
  );
  await transport.close();
});
