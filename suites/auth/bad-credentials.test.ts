import { expect, test } from 'vitest';
import { encoded, readJwt } from '../generators/tampered-jwt.ts';
import { openTestRun } from '../testing/test-run.ts';
import { localServer } from '../testing/local-server.ts';
import { badCredentials, changeCredential, updateCredentials, renewed } from './bad-credentials.ts';

const jwt = (payload: object): string => [encoded({ alg: 'HS256' }), encoded(payload), 'c2lnbmF0dXJl'].join('.');

test('values derived from a token are derived from the renewed one', async () => {
  const fresh = jwt({ exp: 4_102_444_800 });
  await using issuer = await localServer(() => ({ body: { access_token: fresh } }));
  const client = { tokenUrl: `${issuer.address}/token`, id: 'me', secret: { value: 'of-the-client', name: 'S' } };
  const renewal = { client, at: 'credentials.admin', due: 0, end: 0 };
  const admin = { value: jwt({ exp: 1 }), name: 'A', renewal };
  const run = openTestRun({ address: issuer.address, target: { credentials: { admin, scoped: {} } } });
  const inside = await renewed(run, updateCredentials(run));
  const flipped = changeCredential(inside, { accepted: 0, byte: { part: 2, at: 0 }, character: 0 });
  const extended = badCredentials(inside).get('admin: one more member in the payload');
  expect(inside.map(({ token }) => token)).toEqual([fresh]);
  for (const value of [flipped, extended])
    expect(readJwt(value?.slice('Bearer '.length) ?? '')?.payload['exp']).toBe(4_102_444_800);
});
