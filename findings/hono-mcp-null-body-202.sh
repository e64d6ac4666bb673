#!/bin/sh
# @hono/mcp 0.3.2 answers a notification with 202 and the body `null` as application/json, where the specification says 202 with
# no body: a client that parses every JSON body gets null in place of a message. Exits 1 if that changes.
set -eu
folder=$(mktemp -d)
server=
trap 'test -n "$server" && kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error \
  @hono/mcp@0.3.2 hono@4.13.19 @hono/node-server@2.1.9 @modelcontextprotocol/sdk@1.32.2 zod@4.6.7 >/dev/null
port=$((20000 + $$ % 20000))
cat > serve.mjs <<'JS'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPTransport } from '@hono/mcp';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
const app = new Hono();
const mcp = new McpServer({ name: 'try', version: '1' });
const transport = new StreamableHTTPTransport();
app.all('/mcp', async (context) => {
  if (!mcp.isConnected()) await mcp.connect(transport);
  return transport.handleRequest(context);
});
serve({ fetch: app.fetch, port: Number(process.argv[2]), hostname: '127.0.0.1' });
JS
node serve.mjs "$port" </dev/null >server.log 2>&1 &
server=$!
cat > try.mjs <<'JS'
const url = `http://127.0.0.1:${process.argv[2]}/mcp`;
const send = (message) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'try', version: '1' } };
let opened;
for (let tries = 0; opened === undefined && tries < 100; tries += 1)
  try { opened = await send({ id: 1, method: 'initialize', params }); } catch { await new Promise((resolve) => setTimeout(resolve, 200)); }
await opened.text();
const response = await send({ method: 'notifications/initialized' });
const text = await response.text();
console.log(`initialize: ${opened.status}; notification: ${response.status}, ${response.headers.get('content-type')}, body "${text}"`);
process.exit(opened.status === 200 && response.status === 202 && text === 'null' ? 0 : 1);
JS
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@hono/mcp/package.json', 'utf8')).version")
echo "@hono/mcp $version"
node try.mjs "$port"
