#!/bin/sh
# @hono/mcp 0.3.2, as its readme shows it (one transport for the whole app): if two clients have a request with the same id
# in flight, only one of them gets a response. SDK clients count from 0, so two clients collide at once.
# Each POST has its own response stream, so a good guess is that they cannot. Exits 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module"}' > package.json
npm install --no-audit --no-fund --ignore-scripts --loglevel=error \
  @hono/mcp@0.3.2 @modelcontextprotocol/sdk@1.32.2 hono@4.13.19 zod@4.6.7 >/dev/null
cat > try.mjs <<'JS'
import { StreamableHTTPTransport } from '@hono/mcp';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Hono } from 'hono';
const mcpServer = new McpServer({ name: 'demo', version: '1.0.0' });
mcpServer.registerTool('slow', { description: 'Waits' }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { content: [{ type: 'text', text: 'done' }] };
});
const transport = new StreamableHTTPTransport();
const app = new Hono();
app.all('/mcp', async (c) => {
  if (!mcpServer.isConnected()) await mcpServer.connect(transport);
  return transport.handleRequest(c);
});
const post = (message) =>
  app.request('/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
/** What a client receives within two seconds. */
const received = async (response) => {
  const reader = response.body.getReader();
  const late = new Promise((resolve) => setTimeout(() => resolve({ done: true }), 2000));
  let text = '';
  for (;;) {
    const { done, value } = await Promise.race([reader.read(), late]);
    if (done) return text.trim().replaceAll('\n', ' ') || 'nothing';
    text += new TextDecoder().decode(value);
  }
};
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'demo', version: '1' } };
await received(await post({ id: 0, method: 'initialize', params }));
const call = post({ id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } }).then(received);
await new Promise((resolve) => setTimeout(resolve, 100));
const ping = post({ id: 1, method: 'ping' }).then(received);
const [ofCall, ofPing] = await Promise.all([call, ping]);
console.log('the client that calls the tool receives:', ofCall);
console.log('the client that pings receives:', ofPing);
process.exit(ofCall.includes('"result"') && ofPing.includes('"result"') ? 1 : 0);
JS
echo "@hono/mcp $(node -p "require('./node_modules/@hono/mcp/package.json').version")"
node try.mjs
