import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';

// So much time passes that a refused token cannot be late.
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 20_000));
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A server that issues numbered tokens, and accepts those for which `accepts` is true. */
async function issuing(accepts: (token: number, newest: number) => boolean, more: object = {}) {
  let newest = 0;
  const server = await localServer(({ url, headers }) => {
    if (url.startsWith('/oauth/')) return { body: { access_token: `token-number-${(newest += 1)}`, ...more } };
    return { status: accepts(Number(headers.authorization?.split('-').at(-1)), newest) ? 200 : 401 };
  });
  const run = openTestRun({ address: server.address });
  const issue = async (): Promise<string> => {
    const { response } = await run.as('none').send({
      surface: 'host',
      method: 'POST',
      path: '/oauth/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&scope=agents%3Aget',
    });
    return (response.json as { access_token: string }).access_token;
  };
  let count = 0; // equal requests are sent once
  const statusWith = async (token: string): Promise<number> =>
    (await run.as({ token }).call('listAccounts', { query: { count: (count += 1) } })).response.status;
  const paths = () => server.received.map(({ url }) => url);
  return { issue, statusWith, paths, server, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('a token that a later one revoked is issued again, with the same scope', async () => {
  await using issuer = await issuing((token, newest) => token === newest);
  const [first, second] = [await issuer.issue(), await issuer.issue()];
  expect(await issuer.statusWith(first)).toBe(200);
  expect(issuer.server.received.at(-2)).toMatchObject({ url: '/oauth/token', body: issuer.server.received[0]?.body });
  expect(await Promise.all([first, second, first, second].map(issuer.statusWith))).toEqual([200, 200, 200, 200]);
});

test('the last token is not issued again', async () => {
  await using issuer = await issuing(() => false);
  expect(await issuer.statusWith(await issuer.issue())).toBe(401);
  expect(issuer.paths()).toHaveLength(2);
});

test('tokens that are never accepted are issued again once', async () => {
  await using issuer = await issuing(() => false);
  const [first] = [await issuer.issue(), await issuer.issue()];
  expect(await issuer.statusWith(first)).toBe(401);
  expect(issuer.paths()).toHaveLength(5);
  await issuer.issue();
  expect(await issuer.statusWith(first)).toBe(401);
  expect(issuer.paths()).toHaveLength(7);
});

test('an expired token is not issued again', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using issuer = await issuing(() => false, { expires_in: 60 });
  const [first] = [await issuer.issue(), await issuer.issue()];
  vi.setSystemTime(Date.now() + 60_000);
  expect(await issuer.statusWith(first)).toBe(401);
  expect(issuer.paths()).toHaveLength(3);
});
