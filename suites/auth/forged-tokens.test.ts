import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { encoded } from '../generators/tampered-jwt.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'auth.forged-tokens.refused';
const REDIRECT = 'http://127.0.0.1:8765/callback';
const ISSUED = `${encoded({ alg: 'EdDSA' })}.${encoded({ sub: 'ada' })}.c2lnbmF0dXJl`;
const ACCESS = 'issued-access-token';

interface Tokens {
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/** The verdict on a server that returns these tokens for a code, and accepts these credentials. */
async function resultOn(tokens: Tokens, accepted: readonly string[], tokenStatus = 200) {
  const tried = (await collectCases([RULE])).get(RULE)!;
  const authorized = new Set([ISSUED, ACCESS, ...accepted].map((token) => `Bearer ${token}`));
  const sent = new Set<string | undefined>();
  await using server = await localServer(({ url, headers, body }) => {
    if (url.startsWith('/oauth/authorize'))
      return { status: 302, headers: { Location: `${REDIRECT}?code=a-code&state=assay-state` } };
    if (url.startsWith('/oauth/token')) {
      const isCode = new URLSearchParams(body).get('grant_type') === 'authorization_code';
      if (tokenStatus !== 200) return { status: tokenStatus, body: { error: 'invalid_client' } };
      return { body: { access_token: ACCESS, token_type: 'Bearer', ...(isCode && tokens) } };
    }
    if (!url.startsWith('/v0/accounts')) return { status: 404, body: {} };
    const credential = [headers.authorization, headers['x-svc-authorization']].flat().find(Boolean);
    sent.add(credential);
    return authorized.has(credential ?? '')
      ? { body: [] }
      : { status: 401, body: { error: 'unauthorized', code: 401 } };
  });
  const client = {
    id: 'assay',
    secret: { value: 'a-secret', name: 'SVC_CLIENT_SECRET' },
    tokenUrl: `${server.address}/oauth/token`,
    authorizationUrl: `${server.address}/oauth/authorize`,
    redirectUri: REDIRECT,
    scopes: [],
  };
  const credentials = { admin: { value: ISSUED, name: 'SVC_ADMIN_TOKEN' }, scoped: {} };
  const run = openTestContext({ address: server.address, target: { client, credentials, resources: {} } });
  const { result } = await runCase(tried, run.context);
  await run.close();
  return { result, sent };
}

const both = { refresh_token: 'issued-refresh-token', id_token: 'issued-id-token' };

test('a server that accepts only access tokens passes, and got every other token', async () => {
  const { result, sent } = await resultOn(both, []);
  expect(result.verdict).toBe('passed');
  expect([...sent]).toEqual(expect.arrayContaining(['Bearer issued-refresh-token', 'Bearer issued-id-token']));
});

test.each([
  ['a refresh token', both.refresh_token],
  ['an ID token', both.id_token],
])('a server that accepts %s fails', async (what, token) => {
  const { result } = await resultOn(both, [token]);
  expect(result.verdict).toBe('failed');
  expect(result.reason).toContain(what);
});

test.each<[string, Tokens, number]>([
  ['returns only access tokens', {}, 200],
  ['has one token for everything', { refresh_token: ACCESS, id_token: ACCESS }, 200],
  ['does not know the client', both, 401],
])('a server that %s passes', async (_, tokens, status) => {
  expect((await resultOn(tokens, [], status)).result.verdict).toBe('passed');
});
