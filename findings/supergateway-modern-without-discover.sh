#!/bin/sh
# supergateway 4.0.0 answers requests of MCP 2026-07-28 although it does not support that version: tools/list succeeds
# without a session, but server/discover (which servers MUST implement) is 404, and results lack resultType.
# A client that tries the new version first takes it for a modern server. Exits 1 if that changes.
set -eu
folder=$(mktemp -d)
server=
trap 'test -n "$server" && kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error \
  supergateway@4.0.0 @modelcontextprotocol/server-everything@2026.8.31 >/dev/null
port=$((20000 + $$ % 20000))
node node_modules/supergateway/dist/index.js --port "$port" --outputTransport streamableHttp --stateful \
  --stdio 'node node_modules/@modelcontextprotocol/server-everything/dist/index.js stdio' \
  </dev/null >server.log 2>&1 &
server=$!
cat > try.mjs <<'JS'
const url = `http://127.0.0.1:${process.argv[2]}/mcp`;
const version = '2026-07-28';
const send = async (method) => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} };
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } }),
  });
  const text = (await response.text()).replace(/^[\s\S]*?data: (?=\{)/, '');
  return { status: response.status, message: JSON.parse(text) };
};
for (let tries = 0; tries < 100; tries += 1)
  try { await fetch(url); break; } catch { await new Promise((resolve) => setTimeout(resolve, 200)); }
const discover = await send('server/discover');
const list = await send('tools/list');
console.log('server/discover:', discover.status, JSON.stringify(discover.message.error));
console.log('tools/list:', list.status, `${list.message.result?.tools?.length} tools, resultType ${list.message.result?.resultType}`);
const isAsFound = discover.status === 404 && list.status === 200 && list.message.result?.resultType === undefined;
process.exit(isAsFound ? 0 : 1);
JS
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/supergateway/package.json', 'utf8')).version")
echo "supergateway $version"
node try.mjs "$port"
