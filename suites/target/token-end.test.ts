import { expect, test, vi } from 'vitest';
import { requirement } from '../../spec/requirements/index.ts';
import { createRun } from '../engine/run.ts';
import { newTally } from '../engine/tally.ts';
import { encoded } from '../generators/tampered-jwt.ts';
import { localServer } from '../testing/local-server.ts';
import type { LocalResponse } from '../testing/local-server.ts';
import { openTestContext, openTestRun, testTarget } from '../testing/test-run.ts';
import { endingCredentials, endOf, lifetimeOf } from './token-end.ts';
import { NotTried } from './violation.ts';

const NOW = Math.floor(Date.now() / 1000);
const jwt = (claims: object): string => [encoded({ alg: 'HS256' }), encoded(claims), 'c2lnbmF0dXJl'].join('.');
const credentials = (token: string) => ({ admin: { value: token, name: 'SVC_ADMIN_TOKEN' }, scoped: {} });
const dateIn = (seconds: number): string => new Date((NOW + seconds) * 1000).toUTCString();

async function listed(token: string, response: LocalResponse) {
  await using server = await localServer(() => response);
  const run = openTestRun({ address: server.address, target: { credentials: credentials(token) } });
  const first = await run.client.call('listAgents').catch((error: unknown) => error);
  const second = await run.client.call('listAgents').catch((error: unknown) => error);
  return { results: [first, second], requestCount: server.received.length };
}

test.each([401, 403, 404])(
  'a token that is refused with %i after its end is named, and no longer sent',
  async (status) => {
    const { results, requestCount } = await listed(jwt({ exp: NOW - 1 }), { status });
    const expected = `credentials.admin ended at ${new Date((NOW - 1) * 1000).toISOString().replace('.000Z', 'Z')}, before the run`;
    for (const result of results) {
      expect(result).toBeInstanceOf(NotTried);
      expect(result).toMatchObject({ message: expected, missing: 'lifetime' });
    }
    expect(requestCount).toBe(1);
  },
);

test('a refusal after the end of a token is recorded, but shows nothing about the operation', async () => {
  const seen = async (token: string) => {
    await using server = await localServer(() => ({ status: 404 }));
    const { context, close } = openTestContext({
      address: server.address,
      target: { credentials: credentials(token) },
    });
    const see = vi.spyOn(context.missingOperations!, 'see');
    const tally = newTally();
    const run = createRun(requirement('metrics.group-by.at-most-three'), context, tally);
    await run.client.call('listAgents').catch(() => {});
    await close();
    return [see.mock.calls.length, tally.exchanges];
  };
  expect(await seen(jwt({ exp: NOW + 60 }))).toEqual([1, 1]);
  expect(await seen(jwt({ exp: NOW - 1 }))).toEqual([0, 1]);
});

test('a refusal is explained by the clock of the target, too', async () => {
  const { results } = await listed(jwt({ exp: NOW + 60 }), { status: 401, headers: { Date: dateIn(60) } });
  expect(results[0]).toBeInstanceOf(NotTried);
  expect(results[0]).toMatchObject({ message: expect.stringMatching(/, during the run$/) });
});

test.each([
  ['long', NOW - 3600 - 2, 'before'],
  ['just', NOW - 3600, 'during'],
])('whether a token ended before the run is told by the clock of the target, too: %s', async (_, exp, when) => {
  const { results } = await listed(jwt({ exp }), { status: 403, headers: { Date: dateIn(-3600) } });
  expect(results[0]).toMatchObject({ message: expect.stringMatching(`, ${when} the run$`) });
});

test('without a readable Date, our clock explains a 401, which is only about credentials', async () => {
  const resultOf = async (status: number) =>
    (await listed(jwt({ exp: NOW - 1 }), { status, headers: { Date: 'today' } })).results[0];
  expect(await resultOf(401)).toBeInstanceOf(NotTried);
  expect(await resultOf(403)).toMatchObject({ response: { status: 403 } });
  expect(await resultOf(404)).toMatchObject({ response: { status: 404 } });
});

test.each([401, 403, 404])(
  'a refusal with %i before the end by the clock of the target is a response',
  async (status) => {
    const { results } = await listed(jwt({ exp: NOW - 30 }), { status, headers: { Date: dateIn(-3600) } });
    expect(results).toMatchObject([{ response: { status } }, { response: { status } }]);
  },
);

test.each([
  ['before its end', jwt({ exp: NOW + 60 }), 401],
  ['that hides, before its end', jwt({ exp: NOW + 60 }), 404],
  ['of a token without an end', jwt({}), 401],
  ['of an opaque token', 'opaque-token', 401],
  ['of a token that ended long before the run', jwt({ exp: NOW - 301 }), 401],
  ['with another status', jwt({ exp: NOW - 1 }), 400],
])('a refusal %s is a response like others', async (_, token, status) => {
  const { results } = await listed(token, { status });
  expect(results).toMatchObject([{ response: { status } }, { response: { status } }]);
});

test('the expired credential is refused as it should be, and other tokens of a case are none of the target', async () => {
  await using server = await localServer(() => ({ status: 401 }));
  const [expired, other] = [jwt({ exp: NOW - 1 }), jwt({ exp: NOW - 2 })];
  const target = { credentials: { ...credentials('opaque-token'), expired: { value: expired, name: 'E' } } };
  const run = openTestRun({ address: server.address, target });
  for (const caller of ['expired', { token: other }] as const)
    expect(await run.as(caller).call('listAgents')).toMatchObject({ response: { status: 401 } });
});

test('credentials that end are listed, except those that are renewed or have ended', () => {
  const client = { tokenUrl: 'http://127.0.0.1:9/token', id: 'me', secret: { value: 's', name: 'S' } };
  const renewal = { client, at: 'credentials.member', due: 0, end: 0 };
  const target = testTarget({
    address: 'http://127.0.0.1:9',
    target: {
      credentials: {
        admin: { value: jwt({ exp: NOW + 90 }), name: 'A' },
        apiKey: { value: 'opaque-token', name: 'K' },
        member: { value: jwt({ exp: NOW + 20 }), name: 'M', renewal },
        unrelated: { value: jwt({ exp: NOW - 20 }), name: 'U' },
        expired: { value: jwt({ exp: NOW + 10 }), name: 'E' },
        scoped: { 'agents:get': { value: jwt({ exp: NOW + 30 }), name: 'G' } },
      },
    },
  });
  expect(endingCredentials(target, NOW * 1000)).toEqual([
    { place: 'credentials.scoped.agents:get', end: (NOW + 30) * 1000 },
    { place: 'credentials.admin', end: (NOW + 90) * 1000 },
  ]);
});

test.each([{ exp: '5' }, { exp: null }, [], 'x'])('the claims %j have no end', (claims) => {
  expect([endOf(jwt(claims as object)), lifetimeOf(jwt(claims as object))]).toEqual([undefined, undefined]);
});

test('the lifetime of a token does not depend on clocks', () => {
  expect(lifetimeOf(jwt({ iat: 5, exp: 65 }))).toBe(60);
});
