#!/bin/sh
# The reference server of MCP (server-everything 2026.8.31) answers 400 to a session that DELETE has ended. The specification
# of 2025-11-25 demands 404, upon which a client must start a new session; with 400 it has no reason to.
# Exits 1 if that changes.
set -eu
folder=$(mktemp -d)
server=
trap 'test -n "$server" && kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error @modelcontextprotocol/server-everything@2026.8.31 >/dev/null
port=$((20000 + $$ % 20000))
PORT=$port node node_modules/@modelcontextprotocol/server-everything/dist/index.js streamableHttp </dev/null >server.log 2>&1 &
server=$!
cat > try.mjs <<'JS'
const url = `http://127.0.0.1:${process.argv[2]}/mcp`;
const version = '2025-11-25';
const request = (method, session, message) =>
  fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      ...(session && { 'mcp-session-id': session }),
    },
    ...(message && { body: JSON.stringify({ jsonrpc: '2.0', ...message }) }),
  });
const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'try', version: '1' } };
const open = () => request('POST', undefined, { id: 1, method: 'initialize', params });
let opened;
for (let tries = 0; opened === undefined && tries < 100; tries += 1)
  try { opened = await open(); } catch { await new Promise((resolve) => setTimeout(resolve, 200)); }
const session = opened.headers.get('mcp-session-id');
await opened.text();
const ping = async () => {
  const response = await request('POST', session, { id: 2, method: 'ping' });
  return { status: response.status, text: (await response.text()).slice(0, 200) };
};
const before = await ping();
const ended = await request('DELETE', session);
const after = await ping();
console.log(`ping: ${before.status}; DELETE: ${ended.status}; ping after that: ${after.status} ${after.text}`);
process.exit(before.status === 200 && ended.status === 200 && after.status === 400 ? 0 : 1);
JS
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@modelcontextprotocol/server-everything/package.json', 'utf8')).version")
echo "server-everything $version"
node try.mjs "$port"
