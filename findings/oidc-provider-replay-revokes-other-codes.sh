#!/usr/bin/env bash
# oidc-provider: a second exchange of a used authorization code also revokes codes of other authorizations of the same
# session and client that nobody has exchanged yet. One expects only tokens of the repeated code to be revoked (RFC 6749
# 4.1.2). Two tabs, or tests that run at the same time, share the grant of the session, which is what is revoked.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund oidc-provider@9.13.3 >/dev/null
cat >server.mjs <<'JS'
import { createRequire } from 'node:module';
import { Provider } from 'oidc-provider';

const { version } = createRequire(import.meta.url)('./node_modules/oidc-provider/package.json');
console.log(`oidc-provider ${version}, node ${process.version}`);
const redirect_uri = 'https://app.example.com/callback';
const port = 20000 + (process.pid % 20000);
const base = `http://127.0.0.1:${port}`;
// Without an adapter: its notices about defaults are left out below.
const provider = new Provider(base, {
  clients: [{ client_id: 'app', client_secret: 'secret', redirect_uris: [redirect_uri] }],
});
const server = provider.listen(port, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));

const cookies = new Map();
async function visit(address, init = {}) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(new URL(address, base), { redirect: 'manual', ...init, headers: { cookie } });
  for (const line of response.headers.getSetCookie()) {
    const [pair] = line.split(';');
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    if (value) cookies.set(name, value);
    else cookies.delete(name);
  }
  return response;
}

/** Follows the pages for development (login, consent) up to the redirect to the client. */
async function newCode() {
  const query = new URLSearchParams({ client_id: 'app', response_type: 'code', redirect_uri, scope: 'openid' });
  let next = `/auth?${query}`;
  for (let step = 0; step < 10; step += 1) {
    const response = await visit(next);
    const location = response.headers.get('location');
    if (location?.startsWith(redirect_uri)) return new URL(location).searchParams.get('code');
    if (location) {
      next = location;
      continue;
    }
    const page = await response.text();
    const action = /action="([^"]+)"/.exec(page)[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)[1];
    const body = new URLSearchParams({ prompt, login: 'ada', password: 'any' });
    next = (await visit(action, { method: 'POST', body })).headers.get('location');
  }
  throw new Error('no code');
}

async function exchange(what, code) {
  const response = await fetch(`${base}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('app:secret')}` },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri }),
  });
  const { error = 'a token' } = await response.json();
  console.log(`${what}: ${response.status} ${error}`);
  return response.status;
}

const [one, two, three] = [await newCode(), await newCode(), await newCode()];
const statuses = [
  await exchange('first code', one),
  await exchange('second code', two),
  await exchange('first code again', one),
  await exchange('third code, never used before', three),
  await exchange('a code of a new authorization', await newCode()),
];
server.close();
process.exit(statuses.join(' ') === '200 200 400 400 200' ? 0 : 1);
JS
node server.mjs 2>&1 | grep -v 'oidc-provider [NW]'
