#!/usr/bin/env bash
# @better-auth/oauth-provider: a wrong code_verifier of PKCE returns 401 invalid_request, not 400 invalid_grant as RFC 7636
# 4.6 requires. Clients that start again on invalid_grant do not, and some take a 401 of the token endpoint for a wrong
# client secret. A wrong code or redirect_uri is answered as one expects.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund --legacy-peer-deps better-auth@1.7.5 @better-auth/oauth-provider@1.7.5 \
  better-call@1.4.0 @better-fetch/fetch@1.3.2 @better-auth/utils@0.4.2 >/dev/null
cat >server.mjs <<'JS'
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { jwt } from 'better-auth/plugins';
import { oauthProvider } from '@better-auth/oauth-provider';

const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
for (const name of ['better-auth', '@better-auth/oauth-provider']) console.log(`${name} ${versionOf(name)}`);
const models = ['user', 'session', 'account', 'verification', 'jwks', 'oauthClient', 'oauthAccessToken'];
models.push('oauthRefreshToken', 'oauthConsent', 'oauthClientResource', 'oauthResource', 'oauthClientAssertion');
const base = 'http://127.0.0.1:3000';
const auth = betterAuth({
  baseURL: base,
  secret: randomBytes(32).toString('hex'),
  database: memoryAdapter(Object.fromEntries(models.map((model) => [model, []]))),
  emailAndPassword: { enabled: true },
  disabledPaths: ['/token'],
  plugins: [jwt(), oauthProvider({ loginPage: '/sign-in', consentPage: '/consent' })],
});
const redirect_uri = 'https://app.example.com/callback';
const user = { email: 'ada@example.com', password: 'password-of-ada', name: 'Ada' };
const { headers } = await auth.api.signUpEmail({ body: user, returnHeaders: true });
const cookie = headers.getSetCookie().map((line) => line.split(';')[0]).join('; ');
const client = await auth.api.adminCreateOAuthClient({
  headers: new Headers({ cookie }),
  body: { redirect_uris: [redirect_uri], token_endpoint_auth_method: 'client_secret_basic', skip_consent: true },
});
const verifier = randomBytes(32).toString('base64url');

async function newCode() {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri,
    scope: 'openid',
    state: 'state-of-the-client',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const response = await auth.handler(new Request(`${base}/api/auth/oauth2/authorize?${query}`, { headers: { cookie } }));
  return new URL(response.headers.get('location')).searchParams.get('code');
}

async function exchange(what, change) {
  const fields = { grant_type: 'authorization_code', code: await newCode(), redirect_uri, code_verifier: verifier };
  const response = await auth.handler(
    new Request(`${base}/api/auth/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
      body: new URLSearchParams({ ...fields, ...change }),
    }),
  );
  const { error = 'a token' } = await response.json();
  console.log(`${what}: ${response.status} ${error}`);
  return `${response.status} ${error}`;
}

const results = [
  await exchange('as requested', {}),
  await exchange('another code_verifier', { code_verifier: 'x'.repeat(43) }),
  await exchange('another code', { code: 'unknown' }),
];
process.exit(results.join(', ') === '200 a token, 401 invalid_request, 400 invalid_grant' ? 0 : 1);
JS
node server.mjs
