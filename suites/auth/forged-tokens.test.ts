import { expect, test } from 'vitest';
import { collectCases } from '../engine/collect-cases.ts';
import { runCase } from '../engine/run-case.ts';
import { encoded } from '../generators/tampered-jwt.ts';
import { localServer } from '../testing/local-server.ts';
import { openTestContext } from '../testing/test-run.ts';

const RULE = 'auth.forged-tokens.refused';
const REDIRECT = 'http://127.0.0.1:8765/callback';
const issuedWith = (alg: string, claims: object) => `${encoded({ alg })}.${encoded(claims)}.c2lnbmF0dXJl`;
const ISSUED = issuedWith('EdDSA', { sub: 'ada' });
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

/** Why the rule passes in part on a server that accepts only this token, at its management API and for an agent, if it has one. */
async function reasonWith(token: string, { hasKeys = false, hasAgent = false } = {}) {
  const tried = (await collectCases([RULE])).get(RULE)!;
  await using server = await localServer(({ url, headers }) => {
    if (url === '/.well-known/jwks.json' && hasKeys)
      return { body: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: Buffer.alloc(32, 1).toString('base64url') }] } };
    const isServed = url.startsWith('/v0/accounts') || (hasAgent && url.includes('/agents/'));
    if (!isServed) return { status: 404, body: {} };
    const credentials = [headers.authorization, headers['x-svc-authorization']].flat();
    return { status: credentials.includes(`Bearer ${token}`) ? 200 : 401, body: [] };
  });
  const credentials = { admin: { value: token, name: 'SVC_ADMIN_TOKEN' }, scoped: {} };
  const run = openTestContext({
    address: server.address,
    patienceSeconds: 0,
    target: {
      credentials,
      addresses: {
        management: `${server.address}/v0`,
        host: server.address,
        inference: server.address,
      },
    },
  });
  const { result } = await runCase(tried, run.context);
  await run.close();
  expect(result.verdict).toBe('passed');
  return result.reason;
}

const every = { hasKeys: true, hasAgent: true };

test('nothing is missing if every API of the target accepts the JWT whose keys are published', async () => {
  expect(await reasonWith(ISSUED, every)).toBeUndefined();
});

test('nor without public keys, if the JWT is signed with a secret', async () => {
  expect(await reasonWith(issuedWith('HS256', {}), { hasAgent: true })).toBeUndefined();
});

test.each<[string, string, object, RegExp]>([
  [
    'keys that are not read',
    issuedWith('EdDSA', { iss: 'https://login.example.invalid' }),
    { hasAgent: true },
    /^24 of \d+ inputs show nothing; missing: public keys below an address of the target file \(those of "https:\/\/login\.example\.invalid" are not read\): if this issuer of the JWT belongs to the deployment, set addresses\.host to it$/,
  ],
  [
    'keys that are not published',
    ISSUED,
    { hasAgent: true },
    /^24 of .* missing: public keys of the JWT \(jwks_uri in/,
  ],
  [
    'an API that does not accept the JWT',
    ISSUED,
    { hasKeys: true },
    /missing: a JWT of the target file or of its client that is accepted by the inference API \(queryAgent: status 404\)$/,
  ],
])('the rule passes in part and names %s', async (_, token, served, reason) => {
  expect(await reasonWith(token, served)).toMatch(reason);
});
