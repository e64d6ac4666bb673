import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningMock } from '../../start-mock.ts';
import {
  readResponse,
  authorizationRequest,
  basic,
  CALLBACK,
  CLIENT,
  getAuthorize,
  locationOf,
  newCode,
  newTokens,
  NOW,
  post,
  requestToken,
  startFrozen,
  statusOf,
} from '../../testing/oauth-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startFrozen();
});
afterAll(() => mock.close());

const credentials = { ...CLIENT, grant_type: 'client_credentials' };
const codeGrant = { ...CLIENT, grant_type: 'authorization_code', redirect_uri: CALLBACK };
const verifier = 'v'.repeat(43);

function requestTokenAsJson(body: unknown, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': type };
  return fetch(`${mock.addresses.host}/oauth/token`, { method: 'POST', body: text, headers }).then(readResponse);
}

test('the token endpoint accepts a form and JSON, and its response is not cacheable', async () => {
  for (const response of [await requestToken(mock, credentials), await requestTokenAsJson(credentials)]) {
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'agents:get agents:update' });
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('the endpoint is also served below the management prefix', async () => {
  const { status, body } = await post(mock, '/v0/oauth/token', credentials);
  expect(status).toBe(200);
  expect(await statusOf(mock, body['access_token'])).toBe(200);
});

// A 401 needs a challenge, which belongs to an Authorization header.
test.each([
  ['an unknown client', { client_id: 'nobody', client_secret: 'demo-secret' }, {}],
  ['a wrong secret', { ...CLIENT, client_secret: 'wrong' }, {}],
  ['no secret', { client_id: 'demo-client' }, {}],
  ['no client', {}, {}],
  ['a secret of a public client', { client_id: 'demo-page', client_secret: 'any' }, {}],
  ['a wrong secret by Basic', {}, basic('demo-client', 'wrong')],
  ['a header with another scheme than Basic', CLIENT, { authorization: 'Bearer demo-secret' }],
  ['Basic without a colon', {}, { authorization: `Basic ${Buffer.from('demo-client').toString('base64')}` }],
])(
  '%s is reported as invalid_client, with 401 only if there is an Authorization header',
  async (_, fields, headers: Record<string, string>) => {
    const response = await requestToken(mock, { grant_type: 'client_credentials', ...fields }, headers);
    const byHeader = headers['authorization'] !== undefined;
    expect(response).toMatchObject({ status: byHeader ? 401 : 400, body: { error: 'invalid_client' } });
    expect(response.headers.get('www-authenticate')).toBe(byHeader ? 'Basic realm="oauth"' : null);
    expect(response.headers.get('cache-control')).toBe('no-store');
  },
);

test('a form-encoded id and secret in a Basic header are decoded', async () => {
  const odd = { id: 'a:b c', secret: 'ä+%&', caller: 'bot' };
  const { defaultWorld } = await import('../../../fixtures/worlds/default.ts');
  await using other = await startFrozen({
    world: { ...defaultWorld(1, NOW), clients: [odd], target: { ...defaultWorld(1, NOW).target, client: odd.id } },
  });
  const encoded = (text: string) => new URLSearchParams({ t: text }).toString().slice(2);
  const response = await requestToken(
    other,
    { grant_type: 'client_credentials' },
    basic(encoded(odd.id), encoded(odd.secret)),
  );
  expect(response.body).toMatchObject({ scope: 'admin' });
});

test.each([
  ['an unknown grant_type', { ...CLIENT, grant_type: 'password' }, 'unsupported_grant_type'],
  ['a missing grant_type', CLIENT, 'invalid_request'],
  ['an empty grant_type', { ...CLIENT, grant_type: '' }, 'invalid_request'],
  [
    'a grant type with the name of an Object.prototype member',
    { ...CLIENT, grant_type: 'constructor' },
    'unsupported_grant_type',
  ],
  ['a missing code', { ...CLIENT, grant_type: 'authorization_code' }, 'invalid_request'],
  ['an unknown code', { ...codeGrant, code: 'none' }, 'invalid_grant'],
  ['a missing refresh token', { ...CLIENT, grant_type: 'refresh_token' }, 'invalid_request'],
  ['an unknown refresh token', { ...CLIENT, grant_type: 'refresh_token', refresh_token: 'none' }, 'invalid_grant'],
  ['an unknown scope', { ...credentials, scope: 'agents:fly' }, 'invalid_scope'],
  ['a scope beyond the client', { ...credentials, scope: 'agents:get admin' }, 'invalid_scope'],
  [
    'client credentials of a public client',
    { grant_type: 'client_credentials', client_id: 'demo-page' },
    'unauthorized_client',
  ],
])('%s is rejected with 400 and its own error code', async (_, fields, error) => {
  const response = await requestToken(mock, fields);
  expect(response).toMatchObject({ status: 400, body: { error } });
  expect(response.body['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
});

test('a repeated parameter is an invalid request', async () => {
  const twice = await requestToken(mock, [
    ...Object.entries(credentials),
    ['scope', 'agents:get'],
    ['scope', 'agents:get'],
  ]);
  expect(twice).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
});

test('client authentication in both header and body is an invalid request', async () => {
  for (const fields of [credentials, { grant_type: 'client_credentials', client_id: 'demo-admin' }]) {
    const response = await requestToken(mock, fields, basic('demo-client', 'demo-secret'));
    expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  }
});

test.each([
  ['no JSON', '{', 'application/json', 400],
  ['JSON that is not an object', '[]', 'application/json', 400],
  ['JSON with a number in it', '{"client_id": 1}', 'application/json', 400],
  ['neither form nor JSON', 'grant_type', 'text/plain', 415],
  ['a body that is too large', 'a'.repeat(6_000_000), 'application/x-www-form-urlencoded', 413],
])('%s is reported in the error format of the token endpoint', async (_, body, type, status) => {
  const response = await requestTokenAsJson(body, type);
  expect(response).toMatchObject({ status, body: { error: 'invalid_request', error_description: expect.any(String) } });
});

test('a code is valid once; a second use revokes the tokens of the first', async () => {
  const code = await newCode(mock);
  const first = await requestToken(mock, { ...codeGrant, code });
  expect(await statusOf(mock, first.body['access_token'])).toBe(200);
  const second = await requestToken(mock, { ...codeGrant, code });
  expect(second).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await statusOf(mock, first.body['access_token'])).toBe(401);
  const refreshed = await refresh(first.body['refresh_token']);
  expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
});

test('of two concurrent exchanges of a code one returns a token, which is then revoked', async () => {
  const code = await newCode(mock);
  const responses = await Promise.all([1, 2].map(() => requestToken(mock, { ...codeGrant, code })));
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 400]));
  const got = responses.find(({ status }) => status === 200);
  expect(await statusOf(mock, got?.body['access_token'])).toBe(401);
});

test.each([
  ['with another redirect_uri', { redirect_uri: `${CALLBACK}/` }],
  ['without its redirect_uri', { redirect_uri: '' }],
  ['by another client', { client_id: 'demo-admin', client_secret: 'demo-admin-secret' }],
  ['with a verifier although the request had no challenge', { code_verifier: verifier }],
])('a code is rejected %s and stays valid', async (_, differs) => {
  const code = await newCode(mock);
  const wrong = await requestToken(mock, { ...codeGrant, code, ...differs });
  expect(wrong).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await requestToken(mock, { ...codeGrant, code })).status).toBe(200);
});

test.each([
  ['plain', 'plain', verifier],
  ['no method, which means plain', undefined, verifier],
  ['S256', 'S256', 'ybGOtoX8HIdbZJLU1cN6JqL_KPWEL_EJcGSTTiRGvXE'],
])('the code verifier is proved: %s', async (_, method, challenge) => {
  const { createHash } = await import('node:crypto');
  const made = method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : challenge;
  const code = await newCode(mock, { code_challenge: made, code_challenge_method: method });
  for (const wrong of ['', 'w'.repeat(43), 'short'])
    expect((await requestToken(mock, { ...codeGrant, code, code_verifier: wrong })).body).toMatchObject({
      error: 'invalid_grant',
    });
  expect((await requestToken(mock, { ...codeGrant, code, code_verifier: verifier })).status).toBe(200);
});

test('a redirect_uri that the authorization request omitted may be omitted in the token request', async () => {
  const code = await newCode(mock, { redirect_uri: undefined });
  const { redirect_uri: _, ...without } = codeGrant;
  expect((await requestToken(mock, { ...without, code })).status).toBe(200);
});

test('a code expires after ten minutes of virtual time', async () => {
  await using other = await startFrozen();
  const [early, late] = [await newCode(other), await newCode(other)];
  other.world.clock.advance(600_000 - 1);
  expect((await requestToken(other, { ...codeGrant, code: early })).status).toBe(200);
  other.world.clock.advance(1);
  expect((await requestToken(other, { ...codeGrant, code: late })).body).toMatchObject({ error: 'invalid_grant' });
});

test('an access token expires after an hour of virtual time', async () => {
  await using other = await startFrozen();
  const { access_token: token } = (await requestToken(other, credentials)).body;
  other.world.clock.advance(3_600_000 - 1);
  expect(await statusOf(other, token)).toBe(200);
  other.world.clock.advance(1);
  expect(await statusOf(other, token)).toBe(401);
});

test('a token has one spelling, also after the first use', async () => {
  const { access_token } = (await requestToken(mock, credentials)).body;
  const token = String(access_token);
  const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.replace(token.at(-1)!, '').at(0)!;
  const respelled = [`${token}=`, `${token}==`, `${token}.`, token.slice(0, -1) + last];
  for (const each of [...respelled, token, ...respelled])
    expect([each.slice(token.length - 1), await statusOf(mock, each)]).toEqual([
      each.slice(token.length - 1),
      each === token ? 200 : 401,
    ]);
});

function refresh(token: unknown, differs: Record<string, string> = {}, at = mock) {
  return requestToken(at, { ...CLIENT, grant_type: 'refresh_token', refresh_token: String(token), ...differs });
}

test('a refresh token is valid once; a second use revokes all tokens of its grant', async () => {
  const { refresh_token: first } = await newTokens(mock);
  const second = await refresh(first);
  expect(second.body['refresh_token']).not.toBe(first);
  expect(await statusOf(mock, second.body['access_token'])).toBe(200);
  expect((await refresh(first)).body).toMatchObject({ error: 'invalid_grant' });
  expect(await statusOf(mock, second.body['access_token'])).toBe(401);
  expect((await refresh(second.body['refresh_token'])).body).toMatchObject({ error: 'invalid_grant' });
});

test('a refresh may request a subset of the granted scopes, and all of them later', async () => {
  const { refresh_token: token } = await newTokens(mock);
  expect((await refresh(token, { scope: 'admin' })).body).toMatchObject({ error: 'invalid_scope' });
  const part = await refresh(token, { scope: 'agents:get' });
  expect(part.body).toMatchObject({ scope: 'agents:get' });
  const whole = await refresh(part.body['refresh_token']);
  expect(whole.body).toMatchObject({ scope: 'agents:get agents:update' });
});

test('a refresh token is rejected for another client and after thirty days', async () => {
  await using other = await startFrozen();
  const { refresh_token: token } = await newTokens(other);
  const foreign = { client_id: 'demo-admin', client_secret: 'demo-admin-secret' };
  expect((await refresh(token, foreign, other)).body).toMatchObject({ error: 'invalid_grant' });
  other.world.clock.advance(30 * 86_400_000);
  expect((await refresh(token, {}, other)).body).toMatchObject({ error: 'invalid_grant' });
});

test('a client may request less than admin; the default is admin', async () => {
  const admin = { grant_type: 'client_credentials', client_id: 'demo-admin', client_secret: 'demo-admin-secret' };
  expect((await requestToken(mock, admin)).body).toMatchObject({ scope: 'admin' });
  expect((await requestToken(mock, { ...admin, scope: 'volumes:list' })).body).toMatchObject({ scope: 'volumes:list' });
});

test('equal worlds issue the same codes and tokens for the same requests', async () => {
  const run = async () => {
    await using other = await startFrozen({ seed: 5 });
    const code = locationOf(await getAuthorize(other, authorizationRequest())).searchParams.get('code') ?? '';
    const { body } = await requestToken(other, { ...codeGrant, code });
    return [code, body['refresh_token']];
  };
  expect(await run()).toEqual(await run());
});

test('expired codes and tokens are removed', async () => {
  await using other = await startFrozen();
  const { oauth, clock } = other.world;
  for (let turn = 0; turn < 3; turn++) {
    await newTokens(other);
    clock.advance(31 * 86_400_000);
  }
  await newTokens(other);
  expect([oauth.codes.size, oauth.refreshTokens.size]).toEqual([1, 1]);
});

test('revoking a refresh token revokes its access tokens; revoking an access token revokes only that', async () => {
  const whole = await newTokens(mock);
  expect(await statusOf(mock, whole.access_token)).toBe(200);
  expect((await post(mock, '/oauth/revoke', { ...CLIENT, token: whole.refresh_token })).status).toBe(200);
  expect(await statusOf(mock, whole.access_token)).toBe(401);

  const part = await newTokens(mock);
  const revoked = await post(mock, '/oauth/revoke', {
    ...CLIENT,
    token: part.access_token,
    token_type_hint: 'refresh_token',
  });
  expect(revoked.headers.get('cache-control')).toBe('no-store');
  expect(await statusOf(mock, part.access_token)).toBe(401);
  expect((await refresh(part.refresh_token)).status).toBe(200);
});

test("revoking an unknown token succeeds; another client's token stays valid; client authentication is required", async () => {
  expect((await post(mock, '/oauth/revoke', { ...CLIENT, token: 'none' })).status).toBe(200);
  expect((await post(mock, '/oauth/revoke', CLIENT)).body).toMatchObject({ error: 'invalid_request' });
  expect((await post(mock, '/oauth/revoke', { token: 'none' })).body).toMatchObject({ error: 'invalid_client' });
  const { access_token: access, refresh_token: again } = await newTokens(mock);
  for (const token of [access, again, mock.target.credentials.admin.value]) {
    const foreign = await post(mock, '/oauth/revoke', { client_id: 'demo-page', token });
    expect(foreign.body).toMatchObject({ error: 'invalid_grant' });
  }
  expect(await statusOf(mock, access)).toBe(200);
});
