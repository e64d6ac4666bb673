import * as oauth from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callControl, changeMock, callManagement } from '../../testing/control-client.ts';
import type { RunningMock } from '../../start-mock.ts';
import { readResponse, CALLBACK, locationOf, post, startFrozen } from '../../testing/oauth-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startFrozen();
});
afterAll(() => mock.close());

const mailClient = { client_id: 'mail-client', client_secret: 'mail-secret' };

const manage = (method: string, path: string, body?: object) =>
  callManagement(mock.addresses.host, mock.target.credentials.apiKey.value, method, path, body);

async function providerAddresses(): Promise<{ authorize: string; token: string }> {
  const { body } = await manage('GET', '/integrations/google-mail');
  return body['endpoints'];
}

function authorizationUrl(authorize: string, differs: Record<string, string> = {}): string {
  const usual = {
    response_type: 'code',
    client_id: 'mail-client',
    redirect_uri: CALLBACK,
    scope: 'mail.read',
    state: 's1',
  };
  return `${authorize}?${new URLSearchParams({ ...usual, ...differs }).toString()}`;
}

async function codeFrom(authorize: string, differs: Record<string, string>): Promise<string> {
  const response = await fetch(authorizationUrl(authorize, { prompt: 'none', ...differs }), { redirect: 'manual' });
  return locationOf(response).searchParams.get('code') ?? '';
}

function exchange(code: string, differs: Record<string, string> = {}) {
  const usual = { ...mailClient, grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  return post(mock, '/_mock/idp/token', { ...usual, ...differs });
}

test('a backend connects a third-party account in four steps', async () => {
  // 1. The browser is sent to the provider, where a person allows the request.
  const { authorize, token } = await providerAddresses();
  const page = await (await fetch(authorizationUrl(authorize, { access_type: 'offline' }))).text();
  expect(page).toContain('Demo mail application asks for access');
  expect(page).toContain('to the mock identity provider');

  // 2. The provider sends it back with a code.
  const form = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const fields = form.map(([, name = '', value = '']) => [name, value] as const);
  const decided = await post(mock, new URL('authorize', authorize).pathname, [
    ...fields,
    ['login_hint', 'mo@mail.example'],
    ['decision', 'allow'],
  ]);
  expect(decided.status).toBe(303);
  const back = locationOf(decided);
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([CALLBACK, 's1']);

  // 3. The backend posts the code, form-encoded.
  const code = back.searchParams.get('code') ?? '';
  const sent = { ...mailClient, grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const { body } = await readResponse(await fetch(token, { method: 'POST', body: new URLSearchParams(sent) }));
  expect(body).toMatchObject({
    access_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in: expect.any(Number),
  });

  // 4. It makes a connection of what it got, and a function that is bound to it.
  const connection = await manage('POST', '/integrations/connections', {
    metadata: { name: 'mail-of-mo', displayName: 'Mail of Mo' },
    spec: {
      integration: 'google-mail',
      secret: { CLIENT_ID: 'mail-client', CLIENT_SECRET: 'mail-secret', REFRESH_TOKEN: body['refresh_token'] },
    },
  });
  expect(connection.status).toBe(200);
  const bound = await manage('POST', '/functions', {
    metadata: { name: 'mail-tools', displayName: 'Mail tools' },
    spec: { type: 'mcp', integrationConnections: ['mail-of-mo'], runtime: { type: 'mcp' } },
  });
  expect(bound).toMatchObject({ status: 200, body: { spec: { integrationConnections: ['mail-of-mo'] } } });
});

test('without offline access no refresh token is issued', async () => {
  const { authorize } = await providerAddresses();
  for (const differs of [{}, { access_type: 'online' }]) {
    const { status, body } = await exchange(await codeFrom(authorize, differs));
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('refresh_token');
  }
});

test('a stored refresh token remains valid', async () => {
  const { authorize } = await providerAddresses();
  const { body } = await exchange(await codeFrom(authorize, { access_type: 'offline' }));
  const again = { ...mailClient, grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
  for (const response of [await post(mock, '/_mock/idp/token', again), await post(mock, '/_mock/idp/token', again)]) {
    expect(response.status).toBe(200);
    expect(response.body).not.toHaveProperty('refresh_token');
  }
});

test('the redirect URI must match exactly at both endpoints', async () => {
  const { authorize } = await providerAddresses();
  const other = await fetch(authorizationUrl(authorize, { redirect_uri: `${CALLBACK}/` }), { redirect: 'manual' });
  expect([other.status, other.headers.get('location')]).toEqual([400, null]);
  const code = await codeFrom(authorize, {});
  expect((await exchange(code, { redirect_uri: `${CALLBACK}/` })).body).toMatchObject({ error: 'invalid_grant' });
});

test('a code can be used once, and a wrong secret is reported as invalid_client', async () => {
  const { authorize } = await providerAddresses();
  const code = await codeFrom(authorize, {});
  expect(await exchange(code, { client_secret: 'wrong' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_client' },
  });
  expect((await exchange(code)).status).toBe(200);
  expect(await exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});

test.each([
  ['an unknown access_type', { access_type: 'forever' }, 'invalid_request'],
  ['an invalid scope', { scope: 'a"b' }, 'invalid_scope'],
  ['a person who denies', { decision: 'deny' }, 'access_denied'],
])('%s is reported to the client', async (_, differs, error) => {
  const { authorize } = await providerAddresses();
  const response = await fetch(authorizationUrl(authorize, differs), { redirect: 'manual' });
  expect(locationOf(response).searchParams.get('error')).toBe(error);
});

test.each([
  ['JSON at the token endpoint', 'POST', '/token', 415],
  ['an unknown path', 'GET', '/nothing', 404],
  ['a path named like a member of every object', 'GET', '/constructor', 404],
  ['another method', 'GET', '/token', 405],
])('%s is a clear error', async (_, method, path, status) => {
  const json = { body: '{}', headers: { 'content-type': 'application/json' } };
  const response = await fetch(`${mock.addresses.host}/_mock/idp${path}`, { method, ...(method === 'POST' && json) });
  expect(await readResponse(response)).toMatchObject({ status, body: { error: expect.any(String) } });
});

test('its tokens are not valid for the service', async () => {
  const { authorize } = await providerAddresses();
  const { body } = await exchange(await codeFrom(authorize, {}));
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  expect((await fetch(`${mock.addresses.management}/agents`, { headers })).status).toBe(401);
});

test('openid-client discovers it and receives a refresh token', async () => {
  const server = new URL(`${mock.addresses.host}/_mock/idp`);
  const client = await oauth.discovery(server, 'mail-client', 'mail-secret', undefined, {
    execute: [oauth.allowInsecureRequests],
  });
  const verifier = oauth.randomPKCECodeVerifier();
  const url = oauth.buildAuthorizationUrl(client, {
    redirect_uri: CALLBACK,
    scope: 'mail.read mail.send',
    access_type: 'offline',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    prompt: 'none',
  });
  const back = locationOf(await fetch(url, { redirect: 'manual' }));
  const tokens = await oauth.authorizationCodeGrant(client, back, { pkceCodeVerifier: verifier });
  expect(tokens.refresh_token).toEqual(expect.any(String));
  expect(tokens.scope).toBe('mail.read mail.send');
});

test('its requests appear in the journal, and fault rules apply to them', async () => {
  const { host } = mock.addresses;
  const token = () => fetch(`${host}/_mock/idp/token`, { method: 'POST', body: new URLSearchParams() });
  await changeMock(host, 'PUT', '/faults', { rules: [{ status: 503, times: 1 }] });
  const [disturbed, refused] = [await readResponse(await token()), await readResponse(await token())];
  expect([disturbed.status, disturbed.body['error'], refused.status]).toEqual([503, 'service_unavailable', 400]);
  const { requests } = (await callControl(host, 'GET', '/requests?path=/_mock/idp/token')).body as {
    requests: object[];
  };
  expect(requests.slice(-2)).toEqual([
    expect.objectContaining({ method: 'POST', status: 503, fault: 0 }),
    expect.objectContaining({ method: 'POST', status: 400 }),
  ]);
  await changeMock(host, 'DELETE', '/faults');
});
