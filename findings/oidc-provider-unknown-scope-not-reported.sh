#!/usr/bin/env bash
# oidc-provider: client credentials with a scope that it does not know return a token without any scope, and no member
# `scope`. Without that member, a client has to assume that it got what it asked for (RFC 6749 5.1). One expects
# invalid_scope. If one of several scopes is known, the member is there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund oidc-provider@9.13.3 >/dev/null
cat >server.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Provider } from 'oidc-provider';

const { version } = JSON.parse(readFileSync('node_modules/oidc-provider/package.json', 'utf8'));
console.log(`oidc-provider ${version}, node ${process.version}`);
const port = 20000 + (process.pid % 20000);
const base = `http://127.0.0.1:${port}`;
const provider = new Provider(base, {
  clients: [
    {
      client_id: 'app',
      client_secret: 'secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    },
  ],
  scopes: ['read', 'write'],
  features: { clientCredentials: { enabled: true } },
});
const server = provider.listen(port, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

async function grant(scope) {
  const response = await fetch(`${base}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('app:secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const { access_token, scope: granted = 'not reported', error = 'no error' } = await response.json();
  const result = `${response.status}, ${access_token ? 'a token' : 'no token'}, scope ${granted}, ${error}`;
  console.log(`${scope}: ${result}`);
  return result;
}

const results = [await grant('read'), await grant('read delete'), await grant('delete'), await grant('read,write')];
server.close();
const expected = ['read', 'read', 'not reported', 'not reported'];
const isSame = results.every((result, at) => result === `200, a token, scope ${expected[at]}, no error`);
process.exit(isSame ? 0 : 1);
JS
node server.mjs 2>&1 | grep -v 'oidc-provider [NW]'
