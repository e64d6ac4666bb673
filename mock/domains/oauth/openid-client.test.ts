import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oauth from 'openid-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callManagement, callControl } from '../../testing/control-client.ts';
import type { RunningMock } from '../../start-mock.ts';
import type { MockTarget } from '../../world/target.ts';
import { CALLBACK, startFrozen, statusOf } from '../../testing/oauth-client.ts';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startFrozen();
});
afterAll(() => mock.close());

const insecure = { execute: [oauth.allowInsecureRequests] };

function discover(id: string, authentication: oauth.ClientAuth, algorithm: 'oauth2' | 'oidc' = 'oauth2') {
  return oauth.discovery(new URL(mock.addresses.host), id, {}, authentication, { ...insecure, algorithm });
}

test.each([
  ['HTTP Basic', oauth.ClientSecretBasic('demo-secret')],
  ['the body', oauth.ClientSecretPost('demo-secret')],
])(
  'client credentials with the secret in %s yield a token that the management API accepts',
  async (_, authentication) => {
    const client = await discover('demo-client', authentication);
    const tokens = await oauth.clientCredentialsGrant(client, { scope: 'agents:get' });
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'agents:get' });
    expect(tokens.refresh_token).toBeUndefined();
    expect(await statusOf(mock, tokens.access_token)).toBe(200);
  },
);

test('a wrong secret is reported as invalid_client', async () => {
  const client = await discover('demo-client', oauth.ClientSecretBasic('wrong'));
  await expect(oauth.clientCredentialsGrant(client)).rejects.toMatchObject({
    cause: expect.arrayContaining([expect.objectContaining({ scheme: 'basic' })]),
  });
  const byBody = await discover('demo-client', oauth.ClientSecretPost('wrong'));
  await expect(oauth.clientCredentialsGrant(byBody)).rejects.toMatchObject({ error: 'invalid_client', status: 400 });
});

test.each([
  ['a confidential client', 'demo-client', oauth.ClientSecretBasic('demo-secret')],
  ['a public client', 'demo-page', oauth.None()],
])(
  'the authorization code flow with PKCE works for %s, and its refresh token rotates',
  async (_, id, authentication) => {
    const client = await discover(id, authentication, 'oidc');
    const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
    const url = oauth.buildAuthorizationUrl(client, {
      redirect_uri: CALLBACK,
      scope: 'agents:get',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      prompt: 'none',
      login_hint: 'mo@demo.example',
    });
    const response = await fetch(url, { redirect: 'manual' });
    const back = new URL(response.headers.get('location') ?? '');
    const tokens = await oauth.authorizationCodeGrant(client, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.scope).toBe('agents:get');
    expect(await statusOf(mock, tokens.access_token)).toBe(200);

    const again = await oauth.refreshTokenGrant(client, tokens.refresh_token ?? '');
    expect(again.refresh_token).not.toBe(tokens.refresh_token);
    expect(await statusOf(mock, again.access_token)).toBe(200);
  },
);

test('a revoked token is rejected', async () => {
  const client = await discover('demo-client', oauth.ClientSecretBasic('demo-secret'));
  const tokens = await oauth.clientCredentialsGrant(client);
  expect(await statusOf(mock, tokens.access_token)).toBe(200);
  await oauth.tokenRevocation(client, tokens.access_token);
  expect(await statusOf(mock, tokens.access_token)).toBe(401);
});

test.each(['oauth2', 'oidc'] as const)(
  'another world of the port and its identity provider are discovered as %s specifies',
  async (algorithm) => {
    const { body } = await callControl(mock.addresses.host, 'POST', '/worlds', { id: algorithm });
    const { host = '' } = (body as { target: MockTarget }).target.addresses;
    const at = (issuer: string) =>
      oauth.discovery(new URL(issuer), 'demo-client', {}, oauth.ClientSecretBasic('demo-secret'), {
        ...insecure,
        algorithm,
      });
    const client = await at(host);
    expect(client.serverMetadata()).toMatchObject({ issuer: host, token_endpoint: `${host}/oauth/token` });
    const { access_token: token } = await oauth.clientCredentialsGrant(client);
    expect((await callManagement(host, token, 'GET', '/agents/demo-agent')).status).toBe(200);
    expect(await statusOf(mock, token)).toBe(401);
    for (const issuer of [`${host}/_mock/idp`, `${mock.addresses.host}/_mock/idp`])
      expect((await at(issuer)).serverMetadata().issuer).toBe(issuer);
  },
);

test('an access token is a JWT of RFC 9068 that the key set verifies', async () => {
  const client = await discover('demo-client', oauth.ClientSecretBasic('demo-secret'));
  const tokens = await oauth.clientCredentialsGrant(client);
  const keys = createRemoteJWKSet(new URL(client.serverMetadata().jwks_uri ?? ''));
  const { payload } = await jwtVerify(tokens.access_token, keys, {
    issuer: mock.addresses.host,
    audience: mock.addresses.management,
    typ: 'at+jwt',
    currentDate: new Date(mock.world.clock.now()),
  });
  expect(payload).toMatchObject({
    sub: 'bot',
    client_id: 'demo-client',
    scope: 'agents:get agents:update',
    workspace: 'demo',
    account: 'acc-demo',
    exp: mock.world.clock.now() / 1000 + 3600,
  });
});
