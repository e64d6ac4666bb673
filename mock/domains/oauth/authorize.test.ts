import { afterAll, beforeAll, expect, test } from 'vitest';
import { operation } from '../../../spec/operations.ts';
import { replyFindings } from '../../../spec/validators.ts';
import type { RunningMock } from '../../start-mock.ts';
import {
  readResponse,
  authorizationRequest,
  CALLBACK,
  CLIENT,
  getAuthorize,
  locationOf,
  post,
  requestToken,
  startFrozen,
} from '../../testing/oauth-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startFrozen();
});
afterAll(() => mock.close());

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

test('a request with prompt=none is approved immediately, by the first user or the one in login_hint', async () => {
  const response = await getAuthorize(mock, authorizationRequest());
  expect(response.status).toBe(302);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const location = locationOf(response);
  expect(location.origin + location.pathname).toBe(CALLBACK);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    code: expect.any(String),
    state: 'xyz',
    iss: mock.addresses.host,
  });
  const hinted = locationOf(await getAuthorize(mock, authorizationRequest({ login_hint: 'mo@demo.example' })));
  const subjects = [location, hinted].map((url) => mock.world.oauth.codes.get(url.searchParams.get('code') ?? ''));
  expect(subjects.map((code) => code?.grant.subject)).toEqual(['ada@demo.example', 'mo@demo.example']);
});

test.each([
  ['an unregistered redirect_uri', { redirect_uri: 'https://evil.example/callback' }],
  ['a redirect_uri that only begins as a registered one', { redirect_uri: `${CALLBACK}/more` }],
  ['a redirect_uri of another port', { redirect_uri: 'http://127.0.0.1:8766/callback' }],
  ['a redirect_uri with a query', { redirect_uri: `${CALLBACK}?a=b` }],
  ['a redirect_uri of other letter case', { redirect_uri: 'http://127.0.0.1:8765/Callback' }],
  ['an unknown client', { client_id: 'nobody' }],
  ['no client', { client_id: undefined }],
])('%s leads nowhere', async (_, differs) => {
  const response = await getAuthorize(mock, authorizationRequest(differs));
  expect(response.status).toBe(400);
  expect(response.headers.get('location')).toBeNull();
  expect(await response.json()).toMatchObject({ error: 'invalid_request' });
});

test('a repeated redirect_uri is not redirected to', async () => {
  const query = authorizationRequest();
  query.append('redirect_uri', 'https://evil.example/');
  const response = await getAuthorize(mock, query);
  expect([response.status, response.headers.get('location')]).toEqual([400, null]);
});

test('a browser receives errors without a redirect as a page', async () => {
  const query = authorizationRequest({ redirect_uri: 'https://evil.example/"><script>alert(1)</script>' });
  const response = await getAuthorize(mock, query, 'text/html,application/xhtml+xml');
  expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  expect(await response.text()).not.toContain('<script>');
});

test.each([
  ['a missing response_type', { response_type: undefined }, 'invalid_request'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['another response_mode', { response_mode: 'fragment' }, 'invalid_request'],
  ['an unknown scope', { scope: 'agents:fly' }, 'invalid_scope'],
  ['a scope beyond the client', { scope: 'admin' }, 'invalid_scope'],
  ['an unknown challenge method', { code_challenge: challenge, code_challenge_method: 'S512' }, 'invalid_request'],
  ['a challenge of the wrong form', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ['a challenge method without challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
  ['a public client without PKCE', { client_id: 'demo-page' }, 'invalid_request'],
  ['prompt none with something else', { prompt: 'none login' }, 'invalid_request'],
  ['an identity that cannot log in', { login_hint: 'nobody@demo.example' }, 'login_required'],
  ['a decision that is none', { decision: 'perhaps' }, 'invalid_request'],
  ['a person who denies', { decision: 'deny' }, 'access_denied'],
])('%s is reported to the client', async (_, differs, error) => {
  const response = await getAuthorize(mock, authorizationRequest(differs));
  expect(response.status).toBe(302);
  const { searchParams } = locationOf(response);
  expect(Object.fromEntries(searchParams)).toMatchObject({ error, state: 'xyz', iss: mock.addresses.host });
  expect(searchParams.has('code')).toBe(false);
});

test('a duplicate state parameter is reported to the client', async () => {
  const query = authorizationRequest();
  query.append('state', 'other');
  expect(locationOf(await getAuthorize(mock, query)).searchParams.get('error')).toBe('invalid_request');
});

/** The action and fields of the form, as a browser would submit them with that button. */
function formOf(
  page: string,
  button: 'allow' | 'deny',
  person: string,
): { action: string; fields: [string, string][] } {
  const text = (html: string) =>
    html
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const fields = hidden.map(([, name = '', value = '']): [string, string] => [text(name), text(value)]);
  expect(page).toContain(`<input type="radio" name="login_hint" value="${person}"`);
  expect(page).toContain(`<button name="decision" value="${button}">`);
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1] ?? '';
  return { action, fields: [...fields, ['login_hint', person], ['decision', button]] };
}

test('a person chooses an identity, sees the scopes and allows access', async () => {
  const state = `"><b>'&`;
  const query = authorizationRequest({ prompt: undefined, scope: 'agents:get', state });
  const response = await getAuthorize(mock, query, 'text/html');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('x-frame-options')).toBe('DENY');
  const page = await response.text();
  expect(page).toContain('Demo application asks for access');
  expect(page).toContain('agents:get</dt><dd>Read one agent.');
  expect(page).not.toContain('<b>');
  const { action, fields } = formOf(page, 'allow', 'wendy@demo.example');
  const path = new URL(action, `${mock.addresses.host}/oauth/authorize`).pathname;
  const decided = await post(mock, path, fields);
  expect(decided.status).toBe(303);
  const { searchParams } = locationOf(decided);
  expect(searchParams.get('state')).toBe(state);
  const code = searchParams.get('code') ?? '';
  const tokens = await requestToken(mock, {
    ...CLIENT,
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
  });
  const claims = String(tokens.body['access_token']).split('.')[1] ?? '';
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    sub: 'wendy@demo.example',
    scope: 'agents:get',
  });
});

test('denying access redirects with access_denied', async () => {
  const page = await (await getAuthorize(mock, authorizationRequest({ prompt: undefined }))).text();
  const decided = await post(mock, '/oauth/authorize', formOf(page, 'deny', 'ada@demo.example').fields);
  expect(locationOf(decided).searchParams.get('error')).toBe('access_denied');
});

test('POST is validated like GET', async () => {
  const evil = authorizationRequest({ redirect_uri: 'https://evil.example/', decision: 'allow' });
  expect(await post(mock, '/oauth/authorize', [...evil])).toMatchObject({
    status: 400,
    body: { error: 'invalid_request' },
  });
  const url = `${mock.addresses.host}/oauth/authorize`;
  const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  expect(await readResponse(await fetch(url, json))).toMatchObject({ status: 415, body: { error: 'invalid_request' } });
});

test('the page also works below the management prefix', async () => {
  const query = authorizationRequest({ prompt: undefined }).toString();
  const url = `${mock.addresses.management}/oauth/authorize?${query}`;
  const { action, fields } = formOf(await (await fetch(url)).text(), 'allow', 'bot');
  const decided = await post(mock, new URL(action, url).pathname, fields);
  expect(locationOf(decided).searchParams.has('code')).toBe(true);
});

test('with onlyDocumented the page sends its form with GET', async () => {
  await using documented = await startFrozen({ onlyDocumented: true });
  const page = await (await getAuthorize(documented, authorizationRequest({ prompt: undefined }))).text();
  expect(page).toContain('<form method="get" action="authorize">');
  const decided = await getAuthorize(documented, authorizationRequest({ prompt: undefined, decision: 'allow' }));
  expect(locationOf(decided).searchParams.has('code')).toBe(true);
  expect((await post(documented, '/oauth/revoke', CLIENT)).status).toBe(404);
});

test.each(['getAuthorizationServerMetadata', 'getOpenIdConfiguration'] as const)(
  '%s contains the URLs of this world and is valid against the documents',
  async (id) => {
    const { host } = mock.addresses;
    const { status, body } = await readResponse(await fetch(`${host}${operation(id).path}`));
    expect(status).toBe(200);
    expect(replyFindings(id, status, body)).toEqual([]);
    expect(body).toMatchObject({
      issuer: host,
      authorization_endpoint: `${host}/oauth/authorize`,
      token_endpoint: `${host}/oauth/token`,
      jwks_uri: `${host}/oauth/jwks`,
      scopes_supported: expect.arrayContaining(['admin', 'agents:update']),
    });
  },
);

test('the key set contains the key that signs, an earlier key with its certificate, and no private key', async () => {
  const { status, body } = await readResponse(await fetch(`${mock.addresses.host}/oauth/jwks`));
  expect(replyFindings('getKeySet', status, body)).toEqual([]);
  expect(body).toEqual({
    keys: [
      { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: 'mock-1', use: 'sig', alg: 'EdDSA' },
      {
        kty: 'RSA',
        n: expect.any(String),
        e: 'AQAB',
        kid: 'mock-earlier',
        use: 'sig',
        alg: 'RS256',
        x5c: [expect.any(String)],
      },
    ],
  });
});
