import { expect, test } from 'vitest';
import { encoded } from '../generators/tampered-jwt.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';
import { tokensWithout } from './scoped-tokens.ts';

const jwt = (exp: number): string => [encoded({ alg: 'HS256' }), encoded({ exp }), 'c2lnbmF0dXJl'].join('.');
const [PAST, FUTURE] = [1, 4_102_444_800];

/** The token of one scope has expired and is renewed as `renewed`. The admin's token is opaque. */
async function withoutUpdate(renewed: string | undefined) {
  await using issuer = await localServer(() => ({ body: { access_token: renewed } }));
  const client = { tokenUrl: `${issuer.address}/token`, id: 'me', secret: { value: 'of-the-client', name: 'S' } };
  const renewal = { client, at: 'credentials.scoped.vpcs:read', due: 0, end: 0 };
  const scoped = { 'vpcs:read': { value: jwt(PAST), name: 'V', ...(renewed === undefined ? {} : { renewal }) } };
  const credentials = { admin: { value: 'opaque', name: 'A' }, scoped };
  return await tokensWithout(openTestRun({ address: issuer.address, target: { credentials } }), 'updateAgent');
}

test('a renewed token has not expired', async () => {
  expect(await withoutUpdate(jwt(FUTURE))).toEqual([{ scope: 'vpcs:read', token: jwt(PAST) }]);
});

test.each([undefined, jwt(PAST)])('an expired token that is renewed as %j is skipped', async (renewed) => {
  expect(await withoutUpdate(renewed)).toEqual([]);
});
