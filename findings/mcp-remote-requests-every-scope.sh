#!/usr/bin/env bash
# mcp-remote 0.15.1 asks the user for every scope that the authorization server lists, the administrative one included, if
# neither the challenge nor the metadata of the resource names scopes. The official client 2.4.0 asks for none, as RFC 6749 3.3
# allows, and the server grants its default. The MCP specification (2025-11-25, Scope Selection Strategy) says: if
# scopes_supported of the protected resource metadata is not available, omit the scope parameter.
# Exits 1 if one of the two behaves differently.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --loglevel=error --ignore-scripts mcp-remote@0.15.1 @modelcontextprotocol/client@2.4.0 > /dev/null

cat > server.mjs <<'JS'
import { createServer } from 'node:http';
const server = createServer((request, response) => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const { pathname } = new URL(request.url, origin);
  const json = (status, body, headers = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  request.resume();
  if (pathname === '/.well-known/oauth-protected-resource/mcp')
    return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
  if (pathname === '/.well-known/oauth-authorization-server')
    return json(200, {
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/register`,
      scopes_supported: ['tools:read', 'admin'],
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  if (pathname === '/register')
    return json(201, { client_id: 'one', redirect_uris: ['http://localhost:45678/oauth/callback'], token_endpoint_auth_method: 'none' });
  const metadata = `resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  json(401, { error: 'unauthorized' }, { 'www-authenticate': `Bearer ${metadata}` });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
JS
node server.mjs > port.txt &
server=$!
for _ in $(seq 50); do [ -s port.txt ] && break; sleep 0.1; done
url="http://127.0.0.1:$(cat port.txt)/mcp"

cat > official.mjs <<'JS'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
const redirectUrl = 'http://localhost:45678/oauth/callback';
let information;
const authProvider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
  clientInformation: () => information,
  saveClientInformation: (saved) => void (information = saved),
  tokens: () => undefined,
  saveTokens: () => {},
  saveCodeVerifier: () => {},
  codeVerifier: () => '',
  redirectToAuthorization: (to) => console.log(`scope: ${to.searchParams.get('scope')}`),
};
const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]), { authProvider });
await new Client({ name: 'one', version: '1' }).connect(transport).catch(() => {});
process.exit(0);
JS
official=$(node official.mjs "$url")
# No browser is opened: without a PATH that has one, the URL is only printed.
(MCP_REMOTE_CONFIG_DIR="$folder/auth" timeout 20 node node_modules/.bin/mcp-remote-client "$url" 45678 > remote.txt 2>&1 || true) &
for _ in $(seq 150); do grep -q '/authorize?' remote.txt 2> /dev/null && break; sleep 0.1; done
remote=$(grep -o 'http://[^ ]*/authorize?[^ ]*' remote.txt | head -1)
scope=$(node -p 'new URL(process.argv[1]).searchParams.get("scope")' "$remote")

client=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/client/package.json', 'utf8')).version")
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/mcp-remote/package.json', 'utf8')).version")
echo "@modelcontextprotocol/client $client asks for: $official"
echo "mcp-remote $version asks for: scope: $scope"
[ "$official" = 'scope: null' ] && [ "$scope" = 'tools:read admin' ]
